import type { Bytes } from "./api.ts";
import { toBytes } from "./arguments.ts";

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * Returns bytes as lower-case hexadecimal, two digits for each.
 *
 * ```ts
 * toHex(new Uint8Array([0, 171])); // "00ab"
 * ```
 *
 * @throws TypeError for what is not bytes.
 */
export function toHex(bytes: Bytes): string {
  let hex = "";
  for (const byte of toBytes(bytes, "bytes")) hex += HEX[byte];
  return hex;
}

/**
 * Whether two byte sequences are equal, in a time that depends on their lengths only: for MACs and other secrets.
 *
 * ```ts
 * if (!equal(blake3.hash(message, { key }), receivedMac)) throw new Error("forged");
 * ```
 *
 * @throws TypeError for what is not bytes, so a MAC in hexadecimal is an error rather than unequal.
 */
export function equal(a: Bytes, b: Bytes): boolean {
  const left = toBytes(a, "a");
  const right = toBytes(b, "b");
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < left.length; i++) difference |= (left[i] as number) ^ (right[i] as number);
  return difference === 0;
}
