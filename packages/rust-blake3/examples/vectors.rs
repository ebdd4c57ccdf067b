//! Writes vectors.json to standard output, computed by the blake3 crate as built for this machine:
//! `cargo run --example vectors > vectors.json`.

use blake3::Hasher;

const LENGTHS: [usize; 35] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 3072, 3073,
    4096, 4097, 5120, 5121, 6144, 6145, 7168, 7169, 8192, 8193, 16384, 31744, 102400,
];
const KEY: &[u8; 32] = b"whats the Elvish word for friend";
const CONTEXT: &str = "BLAKE3 2019-12-27 16:29:52 test vectors context";

/// 131 bytes, so that two whole blocks and a part of a third are seen.
fn output(mut hasher: Hasher, input: &[u8]) -> String {
    let mut bytes = [0; 131];
    hasher.update(input).finalize_xof().fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn vectors() -> serde_json::Value {
    let cases = LENGTHS.map(|input_len| {
        let input: Vec<u8> = (0..input_len).map(|i| (i % 251) as u8).collect();
        serde_json::json!({
            "input_len": input_len,
            "hash": output(Hasher::new(), &input),
            "keyed_hash": output(Hasher::new_keyed(KEY), &input),
            "derive_key": output(Hasher::new_derive_key(CONTEXT), &input),
        })
    });
    serde_json::json!({
        "comment": "Byte i of each input is i mod 251. Outputs are extended, 131 bytes in hex; their first 32 bytes are the \
            default output. The key is the ASCII string. Written by examples/vectors.rs.",
        "key": core::str::from_utf8(KEY).unwrap(),
        "context_string": CONTEXT,
        "cases": cases.to_vec(),
    })
}

fn main() {
    println!("{:#}", vectors());
}

#[test]
fn the_file_is_what_this_writes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors.json");
    let file = std::fs::read_to_string(path).unwrap();
    assert_eq!(file, format!("{:#}\n", vectors()), "run this example again");
}
