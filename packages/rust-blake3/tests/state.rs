//! The state's bytes: pinned by ../states.json, and refused where they are not what a hasher can have.

mod call;

use call::{Mode, State};

#[derive(serde::Deserialize)]
struct Golden {
    mode: String,
    /// Lengths of the writes, of input byte i = i mod 251.
    writes: Vec<usize>,
    /// All 2800 bytes in hex.
    state: String,
}

fn mode(name: &str) -> Mode {
    match name {
        "hash" => Mode::hash(),
        "keyed_hash" => Mode::keyed(*b"whats the Elvish word for friend"),
        "derive_key" => Mode::derive_key("BLAKE3 2019-12-27 16:29:52 test vectors context"),
        other => panic!("unknown mode {other}"),
    }
}

fn input(from: usize, to: usize) -> Vec<u8> {
    (from..to).map(|i| (i % 251) as u8).collect()
}

/// This layout is a contract: a change of states.json needs a new version number in the state and in the ABI.
#[test]
fn golden() {
    let states: Vec<Golden> = serde_json::from_str(include_str!("../states.json")).unwrap();
    assert!(states.len() >= 6);
    for golden in states {
        let mode = mode(&golden.mode);
        let mut state = State::new(&mode);
        let mut at = 0;
        for length in golden.writes {
            state.update(&input(at, at + length)).unwrap();
            at += length;
        }
        let hex: String = state.0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, golden.state, "{} {at}", golden.mode);
        state.check().unwrap();
        assert_eq!(state.output(0, 64), mode.one_shot(&input(0, at), 64));
    }
}

/// Changes of a state of 5000 bytes, keyed: [0] magic, [3] version, [4] mode, [5] depth, [6] tail length, [8] length.
#[test]
fn altered_states_are_refused() {
    let mut good = State::new(&mode("keyed_hash"));
    good.update(&input(0, 5000)).unwrap();
    let set = |at: usize, value: u8| {
        let mut state = good.clone();
        assert_ne!(state.0[at], value);
        state.0[at] = value;
        state
    };
    let header = [
        set(0, b'B'),
        set(2, 0),
        set(3, 0),
        set(3, 2),
        set(4, 3),
        set(4, 255),
        set(4, 0), // a key in the mode that has none
        set(5, 0),
        set(5, 2),
        set(5, 55),
        set(5, 255),
        set(6, 0),
        set(7, 4),
        set(7, 255),
        set(8, 0),
        set(9, 0),
        set(15, 1),
    ];
    for (i, state) in header.iter().enumerate() {
        let mut changed = state.clone();
        assert_eq!(state.check(), Err(6), "case {i}");
        assert_eq!(state.try_output(0, 32), Err(6), "case {i}");
        assert_eq!(changed.update(b"more"), Err(6), "case {i}");
        assert_eq!(changed.append([0; 64], 2048), Err(6), "case {i}");
        assert_eq!(&changed, state, "case {i}: an error wrote");
    }
    // What is not in use: the end of the tail, and the stack above one chaining value.
    for at in [48 + 5000 - 4096, 48 + 1023, 1072 + 32, 2799] {
        assert_eq!(set(at, 1).check(), Err(6), "byte {at}");
    }
    // Whatever else the header says, no byte of it may bring a panic.
    for at in 0..16 {
        for value in 0..=255 {
            let mut state = good.clone();
            state.0[at] = value;
            let _ = (state.check(), state.try_output(0, 32), state.update(b"x"));
        }
    }
}

#[test]
fn lengths_end_at_2_to_the_64() {
    let mode = Mode::hash();
    let mut state = State::new(&mode);
    for bit in (11..64).rev() {
        state.append([bit; 64], 1 << bit).unwrap();
        state.check().unwrap();
    }
    let before = state.clone();
    assert_eq!(state.append([0; 64], 2048), Err(7));
    assert_eq!(state.update(&[0; 2048]), Err(7));
    assert_eq!(state, before);
    state.update(&[0; 2047]).unwrap();
    state.check().unwrap();
    assert_eq!(state.update(&[0]), Err(7));
    assert_eq!(state.output(0, 32).len(), 32);
}
