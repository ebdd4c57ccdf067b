/**
 * A failure that is not a wrong argument: the WebAssembly module could not be had, is not this library's, or trapped;
 * or a state was altered. `cause` holds the error behind it, if there is one.
 */
export class Blake3Error extends Error {
  static {
    Blake3Error.prototype.name = "Blake3Error";
  }
}
