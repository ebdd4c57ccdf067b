//! BLAKE3's tree: modes, subtrees, parents and the root (sections 2.1 to 2.6 of the BLAKE3 paper), over the kernel of this build.

use blake3::hazmat::max_subtree_len;
pub use blake3::{CHUNK_LEN, KEY_LEN, OUT_LEN, hazmat::ChainingValue};

use crate::abi::Error;
pub use crate::kernel::{Output, context_key, hash};
use crate::kernel;

/// What is computed, and with which key.
#[derive(Clone, Copy)]
pub struct Mode {
    /// 0 `hash`, 1 `keyed_hash`, 2 `derive_key`: the numbers of the ABI and of a state.
    number: u8,
    /// Zeros in mode 0, the key in mode 1, the context key in mode 2.
    key: [u8; KEY_LEN],
}

impl Mode {
    /// `hash`, without a key.
    pub const HASH: Mode = Mode {
        number: 0,
        key: [0; KEY_LEN],
    };

    /// Reads the number and bytes that stand for a mode in the ABI.
    pub fn new(number: u32, key: &[u8]) -> Result<Mode, Error> {
        match number {
            0 if key.is_empty() => Ok(Mode::HASH),
            0 => Err(Error::KeyLength),
            1 | 2 => Ok(Mode {
                number: number as u8,
                key: key.try_into().map_err(|_| Error::KeyLength)?,
            }),
            _ => Err(Error::Mode),
        }
    }

    /// Reads the number and key that stand for a mode in a state.
    pub fn from_state(number: u8, key: &[u8; KEY_LEN]) -> Result<Mode, Error> {
        let valid = number <= 2 && (number != 0 || *key == [0; KEY_LEN]);
        let mode = Mode { number, key: *key };
        valid.then_some(mode).ok_or(Error::State)
    }

    /// The mode's number in the ABI and in a state.
    pub fn number(&self) -> u8 {
        self.number
    }

    /// The key as it stands in a state.
    pub fn key(&self) -> &[u8; KEY_LEN] {
        &self.key
    }

    /// The output of a whole input, at position 0.
    pub fn output(&self, input: &[u8]) -> Output {
        kernel::output(self, input)
    }

    /// The chaining value of a subtree that begins `offset` bytes into the whole input; [`Error::Length`] where the tree has no
    /// such subtree.
    pub fn subtree(&self, offset: u64, input: &[u8]) -> Result<ChainingValue, Error> {
        let length = input.len() as u64;
        let fits = length != 0
            && offset.is_multiple_of(CHUNK_LEN as u64)
            && max_subtree_len(offset).is_none_or(|most| length <= most)
            && offset.checked_add(length).is_some();
        if !fits {
            return Err(Error::Length);
        }
        Ok(kernel::subtree(self, offset, input))
    }

    /// The chaining value of a parent.
    pub fn merge(&self, left: &ChainingValue, right: &ChainingValue) -> ChainingValue {
        kernel::merge(self, left, right)
    }

    /// The output of the whole tree, at position 0, given the root's two children.
    pub fn root(&self, left: &ChainingValue, right: &ChainingValue) -> Output {
        kernel::root(self, left, right)
    }
}

/// Fills `out` from `position` of an output, which has 2^64 - 1 bytes.
pub fn read(output: Output, position: u64, out: &mut [u8]) -> Result<(), Error> {
    if position.checked_add(out.len() as u64).is_none() {
        return Err(Error::Length);
    }
    output.read(position, out);
    Ok(())
}
