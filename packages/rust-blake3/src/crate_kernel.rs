//! The kernels of the blake3 crate, through [`blake3::hazmat`]: for native builds, and for the artifact with feature `crate-kernel`.
//!
//! It does what `kernel/` does, with the same names.

use blake3::hazmat::{self, HasherExt};
use blake3::{Hasher, OutputReader};

use crate::tree::{CHUNK_LEN, ChainingValue, KEY_LEN};

/// Deeper than any call of the ABI goes; less than the stack of the artifact.
pub const STACK_USED: usize = 12 * 1024;

/// A key and the number of its mode.
#[derive(Clone, Copy)]
pub struct Mode<'a> {
    number: u8,
    key: &'a [u8; KEY_LEN],
}

impl<'a> Mode<'a> {
    /// The mode of a number: 0 `hash`, whose key does not matter, 1 `keyed_hash`, 2 `derive_key` with a context key.
    pub fn new(number: u8, key: Option<&'a [u8; KEY_LEN]>) -> Mode<'a> {
        let key = key.unwrap_or(&[0; KEY_LEN]);
        Mode { number, key }
    }

    #[inline(never)]
    fn hasher(self) -> Hasher {
        match self.number {
            0 => Hasher::new(),
            1 => Hasher::new_keyed(self.key),
            _ => Hasher::new_from_context_key(self.key),
        }
    }

    fn hazmat(self) -> hazmat::Mode<'a> {
        match self.number {
            0 => hazmat::Mode::Hash,
            1 => hazmat::Mode::KeyedHash(self.key),
            _ => hazmat::Mode::DeriveKeyMaterial(self.key),
        }
    }
}

/// The root node, whose output can be read.
pub struct Output(OutputReader);

impl Output {
    /// Fills `out` from `position`.
    #[inline(never)]
    pub fn read(mut self, position: u64, out: &mut [u8]) {
        self.0.set_position(position);
        self.0.fill(out);
    }
}

/// The digest of `input`, without a key.
pub fn hash(input: &[u8]) -> ChainingValue {
    blake3::hash(input).into()
}

/// The context key of a context string.
pub fn context_key(context: &str) -> ChainingValue {
    hazmat::hash_derive_key_context(context)
}

/// The output of a whole input.
#[inline(never)]
pub fn output(mode: Mode, input: &[u8]) -> Output {
    Output(mode.hasher().update(input).finalize_xof())
}

/// The chaining value of a subtree that is not the root.
pub fn subtree(mode: Mode, offset: u64, input: &[u8]) -> ChainingValue {
    mode.hasher()
        .set_input_offset(offset)
        .update(input)
        .finalize_non_root()
}

/// The chaining value of a parent.
#[inline(never)]
pub fn parent(mode: Mode, [left, right]: &[ChainingValue; 2]) -> ChainingValue {
    hazmat::merge_subtrees_non_root(left, right, mode.hazmat())
}

/// The output of a tree, given the root's two children.
#[inline(never)]
pub fn root(mode: Mode, [left, right]: &[ChainingValue; 2]) -> Output {
    Output(hazmat::merge_subtrees_root_xof(left, right, mode.hazmat()))
}

/// Chaining values of parts of one long input, which are asked for from left to right. The crate's kernels are wide enough without
/// looking ahead.
#[derive(Default)]
pub struct Leaves(());

impl Leaves {
    /// The chaining value of the chunk that `input` begins with, `offset` bytes into the whole.
    pub fn chunk(&mut self, mode: Mode, offset: u64, input: &[u8]) -> ChainingValue {
        subtree(mode, offset, &input[..CHUNK_LEN])
    }

    /// The chaining values of both halves of the subtree of `length` bytes that `input` begins with.
    pub fn halves(
        &mut self,
        mode: Mode,
        offset: u64,
        input: &[u8],
        length: usize,
    ) -> [ChainingValue; 2] {
        let (left, right) = input[..length].split_at(length / 2);
        [
            subtree(mode, offset, left),
            subtree(mode, offset + left.len() as u64, right),
        ]
    }
}
