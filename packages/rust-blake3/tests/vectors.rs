//! Every path of the ABI against vectors.json, and against the blake3 crate at every length and split.

mod call;

use blake3::Hasher;
use call::{Mode, State};

#[derive(serde::Deserialize)]
struct Vectors {
    key: String,
    context_string: String,
    cases: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    input_len: usize,
    hash: String,
    keyed_hash: String,
    derive_key: String,
}

fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

/// The three modes, each with a hasher of the crate's that does the same.
fn modes() -> [(Mode, Hasher); 3] {
    let context = "BLAKE3 2019-12-27 16:29:52 test vectors context";
    let key = *b"whats the Elvish word for friend";
    [
        (Mode::hash(), Hasher::new()),
        (Mode::keyed(key), Hasher::new_keyed(&key)),
        (Mode::derive_key(context), Hasher::new_derive_key(context)),
    ]
}

#[test]
fn vectors() {
    let vectors: Vectors = serde_json::from_str(include_str!("../vectors.json")).unwrap();
    let key = vectors.key.as_bytes().try_into().unwrap();
    let modes = [
        Mode::hash(),
        Mode::keyed(key),
        Mode::derive_key(&vectors.context_string),
    ];
    assert_eq!(vectors.cases.len(), 35);
    for case in vectors.cases {
        let input = pattern(case.input_len);
        for (mode, want) in modes
            .iter()
            .zip([case.hash, case.keyed_hash, case.derive_key])
        {
            let hex = |bytes: Vec<u8>| -> String {
                bytes.iter().map(|byte| format!("{byte:02x}")).collect()
            };
            let mut state = State::new(mode);
            state.update(&input).unwrap();
            assert_eq!(hex(mode.one_shot(&input, 131)), want, "{}", case.input_len);
            assert_eq!(hex(state.output(0, 131)), want, "{}", case.input_len);
            if let (true, Some(digest)) = (mode.number == 0, want.get(..64)) {
                assert_eq!(hex(call::hash(&input).to_vec()), digest);
            }
        }
    }
}

#[test]
fn every_length() {
    let input = pattern(8192);
    for (mode, mut crate_hasher) in modes() {
        for length in 0..=input.len() {
            let want = crate_hasher.reset().update(&input[..length]).finalize();
            assert_eq!(mode.one_shot(&input[..length], 32), want.as_bytes());
        }
    }
}

/// A fixed sequence (Knuth's multiplier), so that a failure repeats.
fn random(seed: &mut u64) -> usize {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 33) as usize
}

#[test]
fn split_writes() {
    let input = pattern(200_000);
    let mut seed = 1;
    for (mode, mut crate_hasher) in modes() {
        for most in [1, 63, 65, 1023, 1024, 1025, 4096, 65536] {
            let length = match most {
                1 => 5000,
                _ => random(&mut seed) % input.len(),
            };
            let mut state = State::new(&mode);
            let mut rest = &input[..length];
            while !rest.is_empty() {
                let (head, tail) = rest.split_at((random(&mut seed) % most + 1).min(rest.len()));
                state.update(head).unwrap();
                state.update(&[]).unwrap();
                state.check().unwrap();
                rest = tail;
            }
            let want = crate_hasher.reset().update(&input[..length]).finalize();
            assert_eq!(state.output(0, 32), want.as_bytes(), "{length} by {most}");
        }
    }
}

#[test]
fn output_at_every_position() {
    let last = u64::MAX;
    for (mode, mut crate_hasher) in modes() {
        for length in [0, 1, 1024, 1025, 5000] {
            let input = pattern(length);
            let mut state = State::new(&mode);
            state.update(&input).unwrap();
            let mut reader = crate_hasher.reset().update(&input).finalize_xof();
            for position in [0, 1, 31, 63, 64, 65, 1 << 32, (1 << 53) + 1, last - 200] {
                let mut want = [0; 200];
                reader.set_position(position);
                reader.fill(&mut want);
                assert_eq!(state.output(position, 200), want, "{length} at {position}");
            }
            assert_eq!(state.try_output(last - 199, 200), Err(7));
            assert_eq!(state.try_output(last, 0), Ok(vec![]));
        }
    }
}

#[test]
fn subtrees_from_elsewhere() {
    let input = pattern(40 * 1024 + 17);
    for (mode, mut crate_hasher) in modes() {
        for size in [2048, 4096, 8192, 16384, 32768] {
            for length in [size, size + 1, 2 * size, 2 * size + 1024, input.len()] {
                let input = &input[..length.min(input.len())];
                let mut state = State::new(&mode);
                let mut subtrees = input.chunks_exact(size);
                for (i, subtree) in subtrees.by_ref().enumerate() {
                    state
                        .append(mode.halves((i * size) as u64, subtree), size as u64)
                        .unwrap();
                    state.check().unwrap();
                }
                state.update(subtrees.remainder()).unwrap();
                state.check().unwrap();
                let want = crate_hasher.reset().update(input).finalize();
                assert_eq!(state.output(0, 32), want.as_bytes(), "{length} by {size}");
            }
        }
    }
}

#[test]
fn subtrees_after_writes() {
    let input = pattern(65536);
    for (mode, mut crate_hasher) in modes() {
        for start in [2048, 4096, 32768] {
            let mut state = State::new(&mode);
            for chunk in input[..start].chunks(1000) {
                state.update(chunk).unwrap();
            }
            let end = start + 2048;
            state
                .append(mode.halves(start as u64, &input[start..end]), 2048)
                .unwrap();
            state.update(&input[end..]).unwrap();
            let want = crate_hasher.reset().update(&input).finalize();
            assert_eq!(state.output(0, 32), want.as_bytes(), "{start}");
        }
    }
}

#[test]
fn merge_and_root() {
    let input = pattern(7 * 1024 + 5);
    for (mode, mut crate_hasher) in modes() {
        let value = |from: usize, to: usize| mode.subtree(from as u64, &input[from..to]).unwrap();
        let left = mode.merge(value(0, 2048), value(2048, 4096));
        let right = mode.merge(value(4096, 6144), value(6144, input.len()));
        assert_eq!(left, value(0, 4096));
        assert_eq!(right, value(4096, input.len()));
        let mut want = [0; 100];
        let mut reader = crate_hasher.reset().update(&input).finalize_xof();
        reader.set_position(7);
        reader.fill(&mut want);
        assert_eq!(mode.root(left, right, 7, 100), Ok(want.to_vec()));
        assert_eq!(mode.root(left, right, u64::MAX - 99, 100), Err(7));
    }
}
