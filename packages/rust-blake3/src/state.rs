//! The incremental state: a hasher as plain bytes, the same on every platform and with every kernel.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 3 | magic, `b3p` |
//! | 3 | 1 | version, 1 |
//! | 4 | 1 | mode: 0 hash, 1 keyed, 2 derive-key |
//! | 5 | 1 | depth: chaining values on the stack |
//! | 6 | 2 | tail length, 0 to 1024 |
//! | 8 | 8 | length of the input so far, the tail included |
//! | 16 | 32 | key, or context key; zeros in mode 0 |
//! | 48 | 1024 | tail: the input that no chaining value covers yet |
//! | 1072 | 1728 | stack: 54 chaining values, of the largest subtree first |
//!
//! Numbers are little-endian. What is not in use is zero.
//!
//! A chunk or subtree that could still be the root, or the last child of it, stays unmerged. So the tail keeps a full chunk until more
//! input comes; and where the tail is empty, the last subtree lies on the stack as its two halves, from which the root can be made.

use crate::abi::Error;
use crate::sure;
use crate::tree::{self, CHUNK_LEN, ChainingValue, KEY_LEN, Leaves, Mode, Output};

/// One chaining value for each level of a tree of 2^54 chunks, which is 2^64 bytes.
const MAX_DEPTH: usize = 54;

const MAGIC: [u8; 3] = *b"b3p";
const VERSION: u8 = 1;
const CHUNK: u64 = CHUNK_LEN as u64;

/// The bytes of a hasher. See the module for the layout.
#[repr(C)]
#[derive(Clone)]
pub struct State {
    magic: [u8; 3],
    version: u8,
    mode: u8,
    depth: u8,
    tail_len: [u8; 2],
    length: [u8; 8],
    key: [u8; KEY_LEN],
    tail: [u8; CHUNK_LEN],
    stack: [ChainingValue; MAX_DEPTH],
}

const _: () = assert!(size_of::<State>() == 2800 && align_of::<State>() == 1);

impl State {
    /// Makes a state of zeros the state before any input.
    pub fn init(&mut self, number: u8, key: Option<&[u8; KEY_LEN]>) {
        (self.magic, self.version, self.mode) = (MAGIC, VERSION, number);
        if let Some(key) = key {
            self.key = *key;
        }
    }

    /// Checks every byte: the header, and that what is not in use is zero.
    pub fn check(&self) -> Result<(), Error> {
        self.check_header()?;
        let unused = [
            sure(self.tail.get(self.tail_len()..)),
            sure(self.stack.get(self.depth as usize..)).as_flattened(),
        ];
        if unused.iter().any(|bytes| bytes.iter().any(|&b| b != 0)) {
            return Err(Error::State);
        }
        Ok(())
    }

    /// Checks the header, which every other method relies on.
    #[inline(never)]
    pub fn check_header(&self) -> Result<(), Error> {
        let depth = u32::from(self.depth);
        let chunks = self.chunks();
        // With a tail, the stack has one value for each bit of the number of chunks before it. Without, the last subtree is two
        // halves instead of one value, and may be as small as two chunks.
        let shape = match self.tail_len() as u64 {
            0 if self.length() == 0 => depth == 0,
            0 => {
                self.length().is_multiple_of(CHUNK)
                    && depth > chunks.count_ones()
                    && depth <= chunks.count_ones() + chunks.trailing_zeros()
            }
            tail => {
                tail <= CHUNK
                    && self
                        .length()
                        .checked_sub(tail)
                        .is_some_and(|before| before.is_multiple_of(CHUNK))
                    && depth == chunks.count_ones()
            }
        };
        let keyed = self.mode <= 2 && (self.mode != 0 || self.key == [0; KEY_LEN]);
        if self.magic != MAGIC || self.version != VERSION || !keyed || !shape {
            return Err(Error::State);
        }
        Ok(())
    }

    /// Whether the state holds a secret.
    pub fn is_keyed(&self) -> bool {
        self.mode != 0
    }

    fn length(&self) -> u64 {
        u64::from_le_bytes(self.length)
    }

    fn tail_len(&self) -> usize {
        u16::from_le_bytes(self.tail_len).into()
    }

    fn set_tail_len(&mut self, length: usize) {
        self.tail_len = (length as u16).to_le_bytes();
    }

    /// Whole chunks that the stack covers.
    fn chunks(&self) -> u64 {
        self.length().wrapping_sub(self.tail_len() as u64) / CHUNK
    }

    /// Appends input.
    pub fn update(&mut self, mut input: &[u8]) -> Result<(), Error> {
        self.check_header()?;
        let key = self.key;
        let mode = Mode::new(self.mode, Some(&key));
        let length = self
            .length()
            .checked_add(input.len() as u64)
            .ok_or(Error::Length)?;

        if !input.is_empty() && (self.tail_len() > 0 || input.len() <= CHUNK_LEN) {
            self.fill_tail(mode, &mut input);
        }
        if !input.is_empty() {
            self.push_tail(mode);
        }
        // From here the tail is empty, or the input is.
        if input.len() > CHUNK_LEN {
            input = self.push_input(mode, input);
        }
        if !input.is_empty() {
            self.fill_tail(mode, &mut input);
        }
        debug_assert_eq!(self.length(), length);
        Ok(())
    }

    /// Pushes the chaining values of all but the last chunk of input, as far as that is not half of a subtree.
    fn push_input<'a>(&mut self, mode: Mode, mut input: &'a [u8]) -> &'a [u8] {
        let mut leaves = Leaves::default();
        while input.len() > CHUNK_LEN {
            let offset = self.chunks() * CHUNK;
            let aligned = 1 << offset.trailing_zeros().min(usize::BITS - 1);
            let largest = 1 << input.len().ilog2();
            let length = aligned.min(largest);
            if length == CHUNK_LEN {
                let value = leaves.chunk(mode, offset, input);
                self.push(mode, &value, CHUNK);
            } else {
                let halves = leaves.halves(mode, offset, input, length);
                self.push_halves(mode, &halves, length as u64);
            }
            input = sure(input.get(length..));
        }
        input
    }

    /// Appends a subtree of `length` bytes, a power of two, given the chaining values of its halves.
    pub fn append(&mut self, halves: &[ChainingValue; 2], length: u64) -> Result<(), Error> {
        self.check_header()?;
        let key = self.key;
        let mode = Mode::new(self.mode, Some(&key));
        let allowed = length.is_power_of_two()
            && length >= 2 * CHUNK
            && self.length().is_multiple_of(length)
            && self.length().checked_add(length).is_some();
        if !allowed {
            return Err(Error::Length);
        }
        self.push_tail(mode);
        self.push_halves(mode, halves, length);
        Ok(())
    }

    /// The output of all input so far, at position 0.
    pub fn output(&self) -> Output {
        let mode = Mode::new(self.mode, Some(&self.key));
        let stack = sure(self.stack.get(..self.depth.into()));
        let tail = sure(self.tail.get(..self.tail_len()));
        let Some((first, mut stack)) = stack.split_first() else {
            return tree::output(mode, tail);
        };
        let mut children = [*first; 2];
        if !tail.is_empty() {
            children[1] = tree::subtree(mode, self.chunks() * CHUNK, tail);
        } else if let Some((last, rest)) = stack.split_last() {
            (children[1], stack) = (*last, rest);
        }
        for left in stack.iter().rev() {
            children[0] = *left;
            children[1] = tree::parent(mode, &children);
        }
        children[0] = *first;
        tree::root(mode, &children)
    }

    /// Moves input into the tail until either is used up.
    fn fill_tail(&mut self, mode: Mode, input: &mut &[u8]) {
        if self.tail_len() == 0 {
            self.merge(mode, self.chunks().count_ones());
        }
        let start = self.tail_len();
        let free = sure(self.tail.get_mut(start..));
        let (head, rest) = sure(input.split_at_checked(input.len().min(free.len())));
        sure(free.get_mut(..head.len())).copy_from_slice(head);
        self.set_tail_len(start + head.len());
        self.grow(head.len() as u64);
        *input = rest;
    }

    /// Turns a tail, which must be a full chunk, into a chaining value, because more input follows.
    fn push_tail(&mut self, mode: Mode) {
        if self.tail_len() == 0 {
            return;
        }
        let value = tree::subtree(mode, self.chunks() * CHUNK, &self.tail);
        self.length = (self.length() - CHUNK).to_le_bytes();
        self.tail = [0; CHUNK_LEN];
        self.set_tail_len(0);
        self.push(mode, &value, CHUNK);
    }

    fn push_halves(&mut self, mode: Mode, [left, right]: &[ChainingValue; 2], length: u64) {
        self.push(mode, left, length / 2);
        self.push(mode, right, length / 2);
    }

    /// Pushes the chaining value of the next `length` bytes, after merging what can now be no part of the root.
    fn push(&mut self, mode: Mode, value: &ChainingValue, length: u64) {
        self.merge(mode, self.chunks().count_ones());
        *sure(self.stack.get_mut(usize::from(self.depth))) = *value;
        self.depth += 1;
        self.grow(length);
    }

    /// Merges from the top of the stack until `depth` values are left.
    fn merge(&mut self, mode: Mode, depth: u32) {
        while u32::from(self.depth) > depth {
            self.depth -= 1;
            let top = sure(self.stack.get_mut(usize::from(self.depth) - 1..));
            let children: &mut [_; 2] = sure(top.first_chunk_mut());
            children[0] = tree::parent(mode, children);
            children[1].fill(0);
        }
    }

    fn grow(&mut self, length: u64) {
        self.length = (self.length() + length).to_le_bytes();
    }
}
