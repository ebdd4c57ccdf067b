/* A C program over the static library: the header compiles as C, each function links, and the digests are right. */
#include "blake3_polyglot.h"

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            return 1;                                                \
        }                                                            \
    } while (0)

/* The first bytes of the digest of "abc". */
static const uint8_t abc[4] = {0x64, 0x37, 0xb3, 0xac};

int main(void) {
    uint8_t input[8192], state[B3_STATE_SIZE], want[B3_OUT_LENGTH], got[B3_OUT_LENGTH], values[2 * B3_OUT_LENGTH], key[B3_KEY_LENGTH];
    for (size_t i = 0; i < sizeof input; i++) input[i] = (uint8_t)(i % 251);

    CHECK(b3_abi_version() == B3_ABI_VERSION);
    CHECK(hash((const uint8_t *)"abc", 3, got) == B3_OK);
    CHECK(memcmp(got, abc, sizeof abc) == 0);

    CHECK(b3_context_key((const uint8_t *)"context", 7, key) == B3_OK);
    for (uint32_t mode = B3_HASH; mode <= B3_DERIVE_KEY; mode++) {
        size_t key_length = mode == B3_HASH ? 0 : B3_KEY_LENGTH;
        CHECK(b3_hash(mode, key, key_length, input, sizeof input, want, sizeof want) == B3_OK);

        CHECK(b3_state_init(state, mode, key, key_length) == B3_OK);
        CHECK(b3_state_update(state, input, 4096) == B3_OK);
        CHECK(b3_subtree(mode, key, key_length, 4096, input + 4096, 2048, values) == B3_OK);
        CHECK(b3_subtree(mode, key, key_length, 6144, input + 6144, 2048, values + B3_OUT_LENGTH) == B3_OK);
        CHECK(b3_state_append(state, values, 4096) == B3_OK);
        CHECK(b3_state_check(state) == B3_OK);
        CHECK(b3_state_output(state, 0, got, sizeof got) == B3_OK);
        CHECK(memcmp(got, want, sizeof want) == 0);

        CHECK(b3_merge(mode, key, key_length, values, values + B3_OUT_LENGTH, values + B3_OUT_LENGTH) == B3_OK);
        CHECK(b3_subtree(mode, key, key_length, 0, input, 4096, values) == B3_OK);
        CHECK(b3_root(mode, key, key_length, values, values + B3_OUT_LENGTH, 0, got, sizeof got) == B3_OK);
        CHECK(memcmp(got, want, sizeof want) == 0);
    }

    CHECK(b3_state_init(state, B3_KEYED, key, 31) == B3_ERROR_KEY_LENGTH);
    uint8_t *memory = alloc(100);
    CHECK(memory != NULL);
    CHECK(dealloc(memory, 100) == B3_OK);
    puts("ok");
    return 0;
}
