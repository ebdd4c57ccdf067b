//! BLAKE3's tree: modes, subtrees, parents and the root (sections 2.1 to 2.6 of the BLAKE3 paper), by the kernel of this build. What
//! it relies on is checked here.

use blake3::hazmat::max_subtree_len;
pub use blake3::{CHUNK_LEN, KEY_LEN, OUT_LEN, hazmat::ChainingValue};

use crate::abi::Error;
pub use crate::kernel::{Leaves, Mode, Output, context_key, hash, output, parent, root, subtree};

/// Refuses what is no mode's number in the ABI, or not the length of its key there.
pub fn check_mode(number: u32, key_length: usize) -> Result<(), Error> {
    let expected = match number {
        0 => 0,
        1 | 2 => KEY_LEN,
        _ => return Err(Error::Mode),
    };
    if key_length != expected {
        return Err(Error::KeyLength);
    }
    Ok(())
}

/// Refuses with [`Error::Length`] what is no subtree: `length` bytes that begin `offset` bytes into the whole input.
pub fn check_subtree(offset: u64, length: u64) -> Result<(), Error> {
    let fits = length != 0
        && offset.is_multiple_of(CHUNK_LEN as u64)
        && max_subtree_len(offset).is_none_or(|most| length <= most)
        && offset.checked_add(length).is_some();
    fits.then_some(()).ok_or(Error::Length)
}

/// Refuses with [`Error::Length`] what an output, which has 2^64 - 1 bytes, does not have.
pub fn check_output(position: u64, length: u64) -> Result<(), Error> {
    position
        .checked_add(length)
        .map(|_| ())
        .ok_or(Error::Length)
}
