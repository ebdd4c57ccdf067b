//! BLAKE3's tree: modes, subtrees, parents and the root (sections 2.1 to 2.6 of the BLAKE3 paper), over [`blake3::hazmat`].

use blake3::hazmat::{self, HasherExt};
pub use blake3::{CHUNK_LEN, KEY_LEN, OUT_LEN, hazmat::ChainingValue};
use blake3::{Hasher, OutputReader};

use crate::abi::Error;

/// What is computed, and with which key.
#[derive(Clone, Copy)]
pub enum Mode {
    /// `hash`, without a key.
    Hash,
    /// `keyed_hash`.
    Keyed([u8; KEY_LEN]),
    /// `derive_key`, with the context key that stands for its context string.
    DeriveKey([u8; KEY_LEN]),
}

impl Mode {
    /// Reads the pair of numbers and bytes that stands for a mode in the ABI and in a state.
    pub fn new(mode: u32, key: &[u8]) -> Result<Mode, Error> {
        let key32 = <[u8; KEY_LEN]>::try_from(key).map_err(|_| Error::KeyLength);
        match mode {
            0 if key.is_empty() => Ok(Mode::Hash),
            0 => Err(Error::KeyLength),
            1 => Ok(Mode::Keyed(key32?)),
            2 => Ok(Mode::DeriveKey(key32?)),
            _ => Err(Error::Mode),
        }
    }

    /// The mode's number in the ABI and in a state.
    pub fn number(&self) -> u8 {
        match self {
            Mode::Hash => 0,
            Mode::Keyed(_) => 1,
            Mode::DeriveKey(_) => 2,
        }
    }

    /// The key, or zeros in the mode that has none.
    pub fn key(&self) -> [u8; KEY_LEN] {
        match self {
            Mode::Hash => [0; KEY_LEN],
            Mode::Keyed(key) | Mode::DeriveKey(key) => *key,
        }
    }

    fn hasher(&self) -> Hasher {
        match self {
            Mode::Hash => Hasher::new(),
            Mode::Keyed(key) => Hasher::new_keyed(key),
            Mode::DeriveKey(key) => Hasher::new_from_context_key(key),
        }
    }

    fn hazmat(&self) -> hazmat::Mode<'_> {
        match self {
            Mode::Hash => hazmat::Mode::Hash,
            Mode::Keyed(key) => hazmat::Mode::KeyedHash(key),
            Mode::DeriveKey(key) => hazmat::Mode::DeriveKeyMaterial(key),
        }
    }

    /// The output of a whole input, at position 0.
    pub fn output(&self, input: &[u8]) -> OutputReader {
        self.hasher().update(input).finalize_xof()
    }

    /// The chaining value of a subtree that begins `offset` bytes into the whole input; [`Error::Length`] where the tree has no
    /// such subtree.
    pub fn subtree(&self, offset: u64, input: &[u8]) -> Result<ChainingValue, Error> {
        let length = input.len() as u64;
        let fits = length != 0
            && offset.is_multiple_of(CHUNK_LEN as u64)
            && hazmat::max_subtree_len(offset).is_none_or(|most| length <= most)
            && offset.checked_add(length).is_some();
        if !fits {
            return Err(Error::Length);
        }
        Ok(self
            .hasher()
            .set_input_offset(offset)
            .update(input)
            .finalize_non_root())
    }

    /// The chaining value of a parent.
    pub fn merge(&self, left: &ChainingValue, right: &ChainingValue) -> ChainingValue {
        hazmat::merge_subtrees_non_root(left, right, self.hazmat())
    }

    /// The output of the whole tree, at position 0, given the root's two children.
    pub fn root(&self, left: &ChainingValue, right: &ChainingValue) -> OutputReader {
        hazmat::merge_subtrees_root_xof(left, right, self.hazmat())
    }
}

/// Fills `out` from `position` of an output, which has 2^64 - 1 bytes.
pub fn read(mut output: OutputReader, position: u64, out: &mut [u8]) -> Result<(), Error> {
    if position.checked_add(out.len() as u64).is_none() {
        return Err(Error::Length);
    }
    output.set_position(position);
    output.fill(out);
    Ok(())
}
