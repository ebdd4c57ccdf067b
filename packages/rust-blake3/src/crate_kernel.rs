//! The kernels of the blake3 crate, through [`blake3::hazmat`]: for native builds, and for the artifact with feature `crate-kernel`.
//!
//! It does what `kernel/` does, with the same names.

use blake3::hazmat::{self, HasherExt};
use blake3::{Hasher, OutputReader};

use crate::tree::{ChainingValue, Mode};

#[inline(never)]
fn hasher(mode: &Mode) -> Hasher {
    match mode.number() {
        0 => Hasher::new(),
        1 => Hasher::new_keyed(mode.key()),
        _ => Hasher::new_from_context_key(mode.key()),
    }
}

fn hazmat(mode: &Mode) -> hazmat::Mode<'_> {
    match mode.number() {
        0 => hazmat::Mode::Hash,
        1 => hazmat::Mode::KeyedHash(mode.key()),
        _ => hazmat::Mode::DeriveKeyMaterial(mode.key()),
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
pub fn output(mode: &Mode, input: &[u8]) -> Output {
    Output(hasher(mode).update(input).finalize_xof())
}

/// The chaining value of a subtree that is not the root.
pub fn subtree(mode: &Mode, offset: u64, input: &[u8]) -> ChainingValue {
    hasher(mode)
        .set_input_offset(offset)
        .update(input)
        .finalize_non_root()
}

/// The chaining value of a parent.
#[inline(never)]
pub fn merge(mode: &Mode, left: &ChainingValue, right: &ChainingValue) -> ChainingValue {
    hazmat::merge_subtrees_non_root(left, right, hazmat(mode))
}

/// The output of a tree, given the root's two children.
#[inline(never)]
pub fn root(mode: &Mode, left: &ChainingValue, right: &ChainingValue) -> Output {
    Output(hazmat::merge_subtrees_root_xof(left, right, hazmat(mode)))
}
