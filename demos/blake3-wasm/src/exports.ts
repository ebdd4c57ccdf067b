// What the entries of all platforms export alike.
export type {
  Blake3,
  ByteStream,
  Bytes,
  Hasher,
  HasherOptions,
  HashOptions,
  ModeOptions,
  OutputReader,
  StreamOptions,
} from "./api.ts";
export { equal, toHex } from "./bytes.ts";
export { Blake3Error } from "./error.ts";
export type { Source } from "./load.ts";
