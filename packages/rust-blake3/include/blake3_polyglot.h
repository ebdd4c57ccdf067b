/*
 * BLAKE3 in the C ABI that every consumer calls: WebAssembly (wazero, V8, SpiderMonkey, JavaScriptCore), cgo and purego.
 *
 * Numbers and pointers only. Each function that can fail returns B3_OK or one of the B3_ERROR codes; after an error nothing has
 * been written. No function keeps a pointer, starts a thread, prints, or aborts on bad arguments.
 *
 * Memory: all of it is the caller's. Lengths are in bytes. A pointer may be null only where its length is 0. Pointers need no
 * alignment. In WebAssembly, [pointer, pointer + length) must lie in linear memory, or the call returns B3_ERROR_RANGE; natively
 * only null, and a length that no object can have, can be told.
 *
 * Aliasing: an output may overlap an input or key. A state must overlap no other argument (B3_ERROR_OVERLAP).
 *
 * Threads: functions on different memory may run at once, natively. A WebAssembly instance serves one caller at a time.
 *
 * Secrets: calls in B3_KEYED and B3_DERIVE_KEY clear the stack that they used. What lies in the caller's memory (key, input,
 * output, state) is the caller's to clear.
 */
#ifndef BLAKE3_POLYGLOT_H
#define BLAKE3_POLYGLOT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What b3_abi_version returns. It grows with every change that a caller could notice; additions leave it. */
#define B3_ABI_VERSION 1

#define B3_OK 0
#define B3_ERROR_NULL 1       /* a null pointer with a length other than 0 */
#define B3_ERROR_RANGE 2      /* pointer + length leaves the memory */
#define B3_ERROR_OVERLAP 3    /* the state overlaps another argument */
#define B3_ERROR_MODE 4       /* not one of the three modes */
#define B3_ERROR_KEY_LENGTH 5 /* B3_HASH takes no key, the other modes one of B3_KEY_LENGTH bytes */
#define B3_ERROR_STATE 6      /* not a valid state: magic, version or contents are wrong */
#define B3_ERROR_LENGTH 7     /* a length, offset or position that BLAKE3's tree does not allow: see each function */

#define B3_OUT_LENGTH 32    /* a digest, or a chaining value */
#define B3_KEY_LENGTH 32    /* a key, or a context key */
#define B3_CHUNK_LENGTH 1024
#define B3_STATE_SIZE 2800

/* Modes. A mode goes with a key: none (key_length 0), the 32-byte key, or the 32-byte context key of b3_context_key. */
#define B3_HASH 0
#define B3_KEYED 1
#define B3_DERIVE_KEY 2

/* Returns B3_ABI_VERSION as it was when the library was built. */
uint32_t b3_abi_version(void);

/*
 * Memory of the library's heap, for callers that have none in the right place. alloc returns null when there is no more, or when
 * size is 0; the memory is aligned to 16 bytes and not cleared. dealloc takes exactly what alloc returned and the size it was given.
 */
uint8_t *alloc(size_t size);
int32_t dealloc(uint8_t *pointer, size_t size);

/* Writes the 32-byte digest of input[0..input_length) to out. */
int32_t hash(const uint8_t *input, size_t input_length, uint8_t *out);

/* Writes out_length bytes of output, from position 0, of input in a mode. */
int32_t b3_hash(uint32_t mode, const uint8_t *key, size_t key_length, const uint8_t *input, size_t input_length, uint8_t *out,
                size_t out_length);

/* Writes the 32-byte context key of a context string, any bytes. It serves every key derived in that context. */
int32_t b3_context_key(const uint8_t *context, size_t context_length, uint8_t *out);

/*
 * The incremental state: B3_STATE_SIZE bytes whose layout is part of this ABI, the same on every platform and in every version 1
 * (see README.md, "State format"). It has no pointers: copying the bytes clones a hasher, storing them saves it. In the keyed modes
 * it contains the key.
 */

/* Writes the state of a hasher that has seen no input. */
int32_t b3_state_init(uint8_t *state, uint32_t mode, const uint8_t *key, size_t key_length);

/* Checks all of a state that came from outside. The other functions check its header only, so call this once for each import. */
int32_t b3_state_check(const uint8_t *state);

/* Appends input. B3_ERROR_LENGTH: the total would exceed 2^64 - 1 bytes. */
int32_t b3_state_update(uint8_t *state, const uint8_t *input, size_t input_length);

/*
 * Appends a subtree that was hashed elsewhere: `length` bytes of input, given by the chaining values of their two halves, left then
 * right, 64 bytes, as b3_subtree makes them with the state's own mode and key. B3_ERROR_LENGTH: length is not a power of two of
 * at least 2048, or the state's length is not a multiple of it, or the total would exceed 2^64 - 1 bytes.
 */
int32_t b3_state_append(uint8_t *state, const uint8_t *halves, uint64_t length);

/*
 * Writes out_length bytes of the state's output from `position`; 32 bytes from 0 are the digest. The state does not change.
 * B3_ERROR_LENGTH: position + out_length exceeds 2^64 - 1, the length of BLAKE3's output.
 */
int32_t b3_state_output(const uint8_t *state, uint64_t position, uint8_t *out, size_t out_length);

/*
 * The tree. Chaining values are of subtrees that are not the whole input; b3_root finishes a tree of two or more chunks.
 */

/*
 * Writes the chaining value of the subtree that begins `offset` bytes into the whole input. B3_ERROR_LENGTH: input_length is 0, or
 * offset is not a multiple of 1024, or no subtree at offset is that long (1024 << trailing zeros of offset / 1024), or their sum
 * exceeds 2^64 - 1. A length that is not a power of two is right only at the end of the whole input.
 */
int32_t b3_subtree(uint32_t mode, const uint8_t *key, size_t key_length, uint64_t offset, const uint8_t *input,
                   size_t input_length, uint8_t *out);

/* Writes the chaining value of the parent of two subtrees. */
int32_t b3_merge(uint32_t mode, const uint8_t *key, size_t key_length, const uint8_t *left, const uint8_t *right, uint8_t *out);

/* Writes out_length bytes of output from `position`, of the whole tree, given its two subtrees. Lengths as in b3_state_output. */
int32_t b3_root(uint32_t mode, const uint8_t *key, size_t key_length, const uint8_t *left, const uint8_t *right,
                uint64_t position, uint8_t *out, size_t out_length);

#ifdef __wasm__
/*
 * WebAssembly only: memory that is the host's from the start, at an address that never changes. Copy the input here, call, copy the
 * result out; no allocation is needed. b3_staging_size is 64 KiB for the input and 8 KiB for state, key and output.
 */
uint8_t *b3_staging(void);
size_t b3_staging_size(void);
#endif

#ifdef __cplusplus
}
#endif

#endif
