//! Bad arguments get a code and change nothing; overlapping memory is right or refused.

mod call;

use std::ptr::null;

use call::{Mode, State};
use rust_blake3::abi;

const NULL: i32 = 1;
const RANGE: i32 = 2;
const OVERLAP: i32 = 3;
const MODE: i32 = 4;
const KEY_LENGTH: i32 = 5;
const LENGTH: i32 = 7;

#[test]
fn null_and_impossible_lengths() {
    let mut out = [7; 32];
    let at = out.as_mut_ptr();
    let byte = [0];
    let too_long = usize::MAX / 2 + 1;
    unsafe {
        assert_eq!(abi::hash(null(), 1, at), NULL);
        assert_eq!(abi::hash(byte.as_ptr(), too_long, at), RANGE);
        assert_eq!(abi::hash(byte.as_ptr(), 1, null::<u8>().cast_mut()), NULL);
        assert_eq!(abi::b3_hash(0, null(), 0, null(), 1, at, 32), NULL);
        assert_eq!(abi::b3_hash(1, null(), 32, null(), 0, at, 32), NULL);
        assert_eq!(abi::b3_hash(0, null(), 0, null(), 0, at, too_long), RANGE);
        assert_eq!(abi::b3_context_key(null(), 1, at), NULL);
        assert_eq!(abi::b3_state_check(null()), NULL);
        assert_eq!(abi::b3_merge(0, null(), 0, at, null(), at), NULL);
        assert_eq!(abi::dealloc(null::<u8>().cast_mut(), 1), NULL);
        assert_eq!(out, [7; 32]);
        assert_eq!(abi::hash(null(), 0, at), 0);
    }
    assert_eq!(out, *blake3::hash(b"").as_bytes());
}

#[test]
fn modes_and_keys() {
    for (number, key, code) in [
        (0, 32, KEY_LENGTH),
        (0, 1, KEY_LENGTH),
        (1, 0, KEY_LENGTH),
        (1, 31, KEY_LENGTH),
        (2, 33, KEY_LENGTH),
        (3, 32, MODE),
        (u32::MAX, 0, MODE),
        (256, 0, MODE),
    ] {
        let mode = Mode {
            number,
            key: vec![0; key],
        };
        assert_eq!(State::try_new(&mode), Err(code), "mode {number}, key {key}");
        assert_eq!(mode.subtree(0, b"x"), Err(code));
        assert_eq!(mode.root([0; 32], [0; 32], 0, 32), Err(code));
    }
}

#[test]
fn subtrees_that_no_tree_has() {
    let mode = Mode::hash();
    for (offset, length) in [
        (0, 0),
        (1, 1),
        (1023, 1),
        (1024, 1025),
        (2048, 2049),
        (3072, 2048),
        (u64::MAX - 1023, 1024),
    ] {
        assert_eq!(
            mode.subtree(offset, &vec![0; length]),
            Err(LENGTH),
            "{length} bytes at {offset}"
        );
    }
    assert!(mode.subtree(0, &[0; 5000]).is_ok());
    assert!(mode.subtree(4096, &[0; 4096]).is_ok());
    assert!(mode.subtree(u64::MAX - 1023, &[0; 1023]).is_ok());
}

#[test]
fn appended_lengths() {
    let mut state = State::new(&Mode::hash());
    for length in [0, 1, 1024, 2047, 3072, 1 << 11 | 1, u64::MAX] {
        assert_eq!(state.append([0; 64], length), Err(LENGTH), "{length}");
    }
    state.update(&[0; 1000]).unwrap();
    let before = state.clone();
    assert_eq!(state.append([0; 64], 2048), Err(LENGTH));
    state.update(&[0; 1048]).unwrap();
    assert_eq!(state.append([0; 64], 4096), Err(LENGTH));
    state.append([0; 64], 2048).unwrap();
    assert_ne!(state, before);
}

#[test]
fn overlaps() {
    let mut memory = *b"whats the Elvish word for friend";
    let want = *blake3::hash(&memory).as_bytes();
    let at = memory.as_mut_ptr();
    assert_eq!(unsafe { abi::hash(at, 32, at) }, 0);
    assert_eq!(memory, want);

    // The key, the input and the output are one.
    let want = *blake3::keyed_hash(&memory, &memory).as_bytes();
    let at = memory.as_mut_ptr();
    assert_eq!(unsafe { abi::b3_hash(1, at, 32, at, 32, at, 32) }, 0);
    assert_eq!(memory, want);

    let want = Mode::hash().merge(memory, memory);
    let at = memory.as_mut_ptr();
    assert_eq!(unsafe { abi::b3_merge(0, null(), 0, at, at, at) }, 0);
    assert_eq!(memory, want);

    let mut state = State::new(&Mode::hash());
    let before = state.clone();
    let at = state.0.as_mut_ptr();
    unsafe {
        assert_eq!(abi::b3_state_update(at, at.add(2799), 1), OVERLAP);
        assert_eq!(abi::b3_state_output(at, 0, at.add(100), 32), OVERLAP);
        assert_eq!(abi::b3_state_append(at, at, 2048), OVERLAP);
        assert_eq!(abi::b3_state_init(at, 1, at.add(8), 32), OVERLAP);
    }
    assert_eq!(state, before);
}

#[test]
fn heap() {
    assert_eq!(abi::b3_abi_version(), 1);
    assert!(abi::alloc(0).is_null());
    assert!(abi::alloc(usize::MAX).is_null());
    let at = abi::alloc(100_000);
    assert!(!at.is_null() && at.addr().is_multiple_of(16));
    unsafe {
        at.write_bytes(1, 100_000);
        assert_eq!(abi::dealloc(at.add(1), 100_000), RANGE);
        assert_eq!(abi::dealloc(at, 100_000), 0);
        assert_eq!(abi::dealloc(null::<u8>().cast_mut(), 0), 0);
    }
}
