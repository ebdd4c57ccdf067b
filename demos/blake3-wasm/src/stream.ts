// Reading a stream to its end, of either kind that platforms have.
import type { ByteStream, Bytes } from "./api.ts";
import { describe } from "./arguments.ts";

/**
 * Calls `use` with each part of a stream. Where that throws, or `signal` is aborted, which is noticed at once, even while a
 * read is pending, the stream is cancelled.
 */
export async function drain(
  stream: ByteStream,
  signal: AbortSignal | undefined,
  use: (part: Bytes) => void,
): Promise<void> {
  const { read, cancel } = source(stream);
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
  });
  aborted.catch(() => {}); // seen by the race, or by nobody
  let ended = false;
  signal?.addEventListener("abort", abort);
  try {
    while (!ended) {
      // A stream that always has something at hand must not hide an abort, so the signal goes first.
      signal?.throwIfAborted();
      const { done, value } = await Promise.race([aborted, read()]);
      if (done) ended = true;
      else use(value);
    }
  } catch (error) {
    // Not awaited: a stream may take its time, or never answer.
    cancel(error).catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

interface Source {
  read(): Promise<IteratorResult<Bytes, unknown>>;
  cancel(reason: unknown): Promise<unknown>;
}

function source(stream: ByteStream): Source {
  // Not every engine can iterate over a ReadableStream.
  if (typeof (stream as ReadableStream)?.getReader === "function") {
    const reader = (stream as ReadableStream<Uint8Array>).getReader();
    return {
      read: () => reader.read(),
      cancel: (reason) => reader.cancel(reason).finally(() => reader.releaseLock()),
    };
  }
  const iterator = (stream as AsyncIterable<Bytes>)?.[Symbol.asyncIterator]?.();
  if (!iterator) {
    throw new TypeError(`stream: expected a ReadableStream or AsyncIterable of bytes, got ${describe(stream)}`);
  }
  return {
    read: () => iterator.next(),
    cancel: async () => iterator.return?.(),
  };
}
