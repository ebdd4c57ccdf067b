//! A BLAKE3 kernel for simd128, in the place of the crate's in the artifact.
//!
//! - [`one`]: one block in four row vectors, for what is alone; or two side by side
//! - [`four`]: four chunks, parents or output blocks, one in each lane
//! - [`simd`]: the vectors
//! - this file: chunks, parents and output
//!
//! It does what `crate_kernel.rs` does through the crate, with the same names.

mod four;
mod one;
mod simd;

use crate::sure;
use crate::tree::{CHUNK_LEN, ChainingValue as Value};
use four::{Work, four};
use one::{chain, pair};

/// Deeper than any call of the ABI goes, which is 5.0 KiB for 32 MiB and 0.1 KiB more for each doubling; less than the stack of the
/// artifact.
pub const STACK_USED: usize = 6 * 1024;

type Block = [u8; 64];

const IV: [u32; 8] = [
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
];

/// The key of the mode without one.
static IV_BYTES: Value = {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i] = IV[i / 4].to_le_bytes()[i % 4];
        i += 1;
    }
    bytes
};

const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;
const KEYED_HASH: u32 = 16;
const DERIVE_KEY_CONTEXT: u32 = 32;
const DERIVE_KEY_MATERIAL: u32 = 64;

/// The flags of the first block, of those between, and what the last block adds, a byte each.
#[derive(Clone, Copy)]
struct Flags(u32);

impl Flags {
    #[inline(always)]
    const fn new(first: u32, each: u32, end: u32) -> Self {
        Flags(first | each | each << 8 | end << 16)
    }
    #[inline(always)]
    fn first(self) -> u32 {
        self.0 & 0xff
    }
    #[inline(always)]
    fn each(self) -> u32 {
        self.0 >> 8 & 0xff
    }
    #[inline(always)]
    fn end(self) -> u32 {
        self.0 >> 16
    }
}

/// A key and the flags of its mode.
#[derive(Clone, Copy)]
pub struct Mode<'a> {
    value: &'a Value,
    bits: u32,
}

impl<'a> Mode<'a> {
    /// The mode of a number: 0 `hash`, whose key does not matter, 1 `keyed_hash`, 2 `derive_key` with a context key.
    #[inline(always)]
    pub fn new(number: u8, key: Option<&'a Value>) -> Mode<'a> {
        let value = match key {
            Some(key) if number != 0 => key,
            _ => &IV_BYTES,
        };
        // 0, KEYED_HASH or DERIVE_KEY_MATERIAL, without a branch
        const { assert!(DERIVE_KEY_MATERIAL == 2 * 2 * KEYED_HASH) };
        let bits = u32::from(number) * u32::from(number) * KEYED_HASH;
        Mode { value, bits }
    }

    #[inline(always)]
    fn chunk(self, end: u32) -> Flags {
        Flags::new(CHUNK_START, self.bits, end)
    }

    #[inline(always)]
    fn parent(self, end: u32) -> Flags {
        Flags::new(0, self.bits | PARENT, end)
    }
}

/// An input's whole blocks but the last, the last block padded with zeros, and how many bytes of it are input.
type Input<'a> = (&'a [Block], &'a Block, u32);

#[inline(always)]
fn split<'a>(input: &'a [u8], room: &'a mut Option<Block>) -> Input<'a> {
    let (blocks, rest) = input.as_chunks();
    if let ([], Some((last, full))) = (rest, blocks.split_last()) {
        return (full, last, 64);
    }
    let last = room.insert(simd::padded(input, input.len() - rest.len()));
    (blocks, last, rest.len() as u32)
}

/// The first two of four.
#[inline(always)]
fn two(out: &mut [Value; 4]) -> &mut [Value; 2] {
    sure(out.first_chunk_mut())
}

/// The children of a parent.
#[inline(always)]
fn block(node: &[Value; 2]) -> &Block {
    sure(node.as_flattened().first_chunk())
}

/// A parent by itself.
#[inline(always)]
fn single(key: Mode, block: &[u8], end: u32) -> [Value; 2] {
    chain(key.value, block, 0, key.parent(end))
}

/// Four chunks.
const GROUP: usize = 4 * CHUNK_LEN;

/// The chaining values of one to four chunks, of which the last need not be whole. The rest of `out` may be written.
#[inline(never)]
fn chunks(key: Mode, input: &[u8], counter: u64, out: &mut [Value; 4]) {
    let last_chunk = input.len().saturating_sub(1) / CHUNK_LEN;
    if last_chunk == 0 {
        out[0] = chain(key.value, input, counter, key.chunk(CHUNK_END))[0];
        return;
    }
    let (before, tail) = sure(input.split_at_checked(last_chunk * CHUNK_LEN));
    let mut room = None;
    let tail = split(tail, &mut room);
    let (full, last, len) = tail;
    let (before, _) = before.as_chunks::<64>();
    let (first, others) = sure(before.split_at_checked(16));
    let flags = key.chunk(CHUNK_END);
    if others.is_empty() {
        let (now, later) = sure(first.split_at_checked(full.len() + 1));
        let end = if later.is_empty() { CHUNK_END } else { 0 };
        pair(
            key.value,
            now,
            tail,
            counter,
            1,
            key.chunk(end),
            flags,
            two(out),
        );
        if !later.is_empty() {
            let flags = Flags::new(0, key.bits, CHUNK_END);
            out[0] = chain(&out[0], later.as_flattened(), counter, flags)[0];
        }
        return;
    }
    let (second, others) = sure(others.split_at_checked(16));
    let third = if others.is_empty() { full } else { others };
    let work = Work {
        key: key.value,
        lanes: [first, second, third, full],
        last,
        len,
        blocks: 16,
        whole: last_chunk,
        counter,
        flags,
    };
    four(&work, out);
}

/// The chaining values of one to four parents. The rest of `out` may be written.
#[inline(never)]
fn parents(key: Mode, blocks: &[Block], out: &mut [Value; 4]) {
    let flags = key.parent(0);
    match blocks {
        [] => {}
        [block] => out[0] = single(key, block, 0)[0],
        [_, last] => {
            let (left, _) = sure(blocks.split_at_checked(1));
            let right = (&[][..], last, 64);
            pair(key.value, left, right, 0, 0, flags, flags, two(out));
        }
        [_, _, _, rest @ ..] => {
            let lane = |i: usize| sure(blocks.get(i..));
            let work = Work {
                key: key.value,
                lanes: [blocks, lane(1), lane(2), rest],
                last: &blocks[0],
                len: 64,
                blocks: 1,
                whole: 4,
                counter: 0,
                flags,
            };
            four(&work, out);
        }
    }
}

/// Joins neighbours among the first `n` chaining values, level by level, until two are left. The levels lie in either array in turn.
#[inline(never)]
fn joined<'a>(
    key: Mode,
    mut from: &'a mut [Value],
    mut to: &'a mut [Value],
    mut n: usize,
) -> [Value; 2] {
    while n > 2 {
        let (mut blocks, odd) = sure(from.get(..n)).as_flattened().as_chunks();
        for out in to.as_chunks_mut().0 {
            let (now, later) = sure(blocks.split_at_checked(blocks.len().min(4)));
            parents(key, now, out);
            blocks = later;
            if blocks.is_empty() {
                break;
            }
        }
        if let Some(odd) = odd.first_chunk() {
            *sure(to.get_mut(n / 2)) = *odd;
        }
        n = n.div_ceil(2);
        (from, to) = (to, from);
    }
    *sure(from.first_chunk())
}

/// The chaining values of all chunks of `input`, for which there is room in `values` in fours; how many.
#[inline(never)]
fn leaves(key: Mode, mut input: &[u8], mut counter: u64, values: &mut [Value]) -> usize {
    let n = input.len().div_ceil(CHUNK_LEN);
    for group in values.as_chunks_mut().0 {
        let (now, rest) = sure(input.split_at_checked(input.len().min(GROUP)));
        chunks(key, now, counter, group);
        if rest.is_empty() {
            break;
        }
        (input, counter) = (rest, counter + 4);
    }
    n
}

/// Up to this many chunks are hashed before their chaining values are joined.
const LEAVES: usize = 64;

/// The chaining values of both halves of a tree of two chunks or more.
#[inline(never)]
fn halves(key: Mode, input: &[u8], counter: u64) -> [Value; 2] {
    /// All at once, with room for so many chaining values of each of two levels, in bytes.
    #[inline(never)]
    fn up_to<const CHUNKS: usize, const PARENTS: usize>(
        key: Mode,
        input: &[u8],
        counter: u64,
    ) -> [Value; 2] {
        let (mut chunks, mut parents) = ([0; CHUNKS], [0; PARENTS]);
        let (chunks, parents) = (chunks.as_chunks_mut().0, parents.as_chunks_mut().0);
        let n = leaves(key, input, counter, chunks);
        joined(key, chunks, parents, n)
    }
    if input.len() <= GROUP {
        up_to::<{ 4 * 32 }, { 4 * 32 }>(key, input, counter)
    } else if input.len() <= LEAVES * CHUNK_LEN {
        up_to::<{ LEAVES * 32 }, { LEAVES * 16 }>(key, input, counter)
    } else {
        // The largest power of two that leaves something for the right half.
        let middle = 1 << (input.len() - 1).ilog2();
        let (left, right) = sure(input.split_at_checked(middle));
        let next = counter + (middle / CHUNK_LEN) as u64;
        [value(key, left, counter, 0), value(key, right, next, 0)]
    }
}

/// The chaining value of a subtree, or the digest where `end` is ROOT.
#[inline(never)]
fn value(key: Mode, input: &[u8], counter: u64, end: u32) -> Value {
    let out = if input.len() <= CHUNK_LEN {
        chain(key.value, input, counter, key.chunk(CHUNK_END | end))
    } else {
        single(key, halves(key, input, counter).as_flattened(), end)
    };
    out[0]
}

/// The digest of `input`, without a key.
#[inline(always)]
pub fn hash(input: &[u8]) -> Value {
    let key = Mode {
        value: &IV_BYTES,
        bits: 0,
    };
    value(key, input, 0, ROOT)
}

/// The context key of a context string.
#[inline(always)]
pub fn context_key(context: &str) -> Value {
    let key = Mode {
        value: &IV_BYTES,
        bits: DERIVE_KEY_CONTEXT,
    };
    value(key, context.as_bytes(), 0, ROOT)
}

/// The chaining value of a subtree that is not the root.
#[inline(always)]
pub fn subtree(key: Mode, offset: u64, input: &[u8]) -> Value {
    value(key, input, offset / CHUNK_LEN as u64, 0)
}

/// The chaining value of a parent.
#[inline(always)]
pub fn parent(key: Mode, children: &[Value; 2]) -> Value {
    single(key, children.as_flattened(), 0)[0]
}

/// The root node, whose output can be read.
pub struct Output {
    value: Value,
    node: [Value; 2],
    len: u32,
    bits: u32,
}

/// The output of a whole input.
#[inline(never)]
pub fn output(key: Mode, input: &[u8]) -> Output {
    if input.len() > CHUNK_LEN {
        return root(key, &halves(key, input, 0));
    }
    let mut room = None;
    let (full, last, len) = split(input, &mut room);
    let start = match full {
        [] => key.value,
        _ => &chain(key.value, full.as_flattened(), 0, key.chunk(0))[0],
    };
    let (node, _) = last.as_chunks();
    Output {
        value: *start,
        node: *sure(node.first_chunk()),
        len,
        bits: key.bits | CHUNK_END | if full.is_empty() { CHUNK_START } else { 0 },
    }
}

/// The output of a tree, given the root's two children.
#[inline(never)]
pub fn root(key: Mode, children: &[Value; 2]) -> Output {
    Output {
        value: *key.value,
        node: *children,
        len: 64,
        bits: key.bits | PARENT,
    }
}

impl Output {
    /// Fills `out` from `position`.
    #[inline(never)]
    pub fn read(&self, position: u64, mut out: &mut [u8]) {
        let mut skip = position as usize % 64;
        let mut work = Work {
            key: &self.value,
            lanes: [&[]; 4],
            last: block(&self.node),
            len: self.len,
            blocks: 1,
            whole: 0,
            counter: position / 64,
            flags: Flags::new(0, self.bits, ROOT),
        };
        while !out.is_empty() {
            // To a multiple of four blocks, or to the end.
            let len = out.len().min(256 - skip);
            let (now, rest) = sure(out.split_at_mut_checked(len));
            if len == 256 {
                four(&work, now.as_chunks_mut().0);
            } else {
                part(&work, skip, now);
            }
            (out, skip, work.counter) = (rest, 0, work.counter + 4);
        }
    }
}

/// Fills `out` from `skip` bytes into the four blocks of output.
#[inline(never)]
fn part(work: &Work, skip: usize, out: &mut [u8]) {
    let (mut one, mut room);
    let from: &[Value] = if skip + out.len() > 64 {
        room = [0; 256];
        let (blocks, _) = room.as_chunks_mut();
        four(work, blocks);
        blocks
    } else {
        let input = sure(work.last.get(..work.len as usize));
        one = chain(work.key, input, work.counter, work.flags);
        &mut one
    };
    let from = sure(from.as_flattened().get(skip..));
    out.copy_from_slice(sure(from.get(..out.len())));
}

/// Chaining values of parts of one long input, which are asked for from left to right. Small parts are hashed ahead together, so that
/// they fill the lanes.
pub struct Leaves {
    values: [u8; AHEAD * 32],
    next: usize,
    end: usize,
}

/// Chunks, a power of two. A subtree of as many fills the lanes by itself.
const AHEAD: usize = 16;

impl Default for Leaves {
    /// For an input of which nothing has been asked.
    #[inline(always)]
    fn default() -> Self {
        Leaves {
            values: [0; AHEAD * 32],
            next: 0,
            end: 0,
        }
    }
}

impl Leaves {
    /// The chaining values of the chunks of `input`, of which there are `count` in the part asked for.
    #[inline(never)]
    fn take(&mut self, key: Mode, counter: u64, input: &[u8], count: usize) -> &mut [Value] {
        let (values, _) = self.values.as_chunks_mut();
        if self.next == self.end {
            // As far as small subtrees go. A last chunk that ends the input and is a subtree alone stays in the tail.
            let most = AHEAD - counter as usize % AHEAD;
            let mut n = (input.len() / CHUNK_LEN).min(most);
            if input.len() == n * CHUNK_LEN && (counter as usize + n) % 2 == 1 {
                n -= 1;
            }
            (self.next, self.end) = (0, n);
            leaves(key, sure(input.get(..n * CHUNK_LEN)), counter, values);
        }
        let from = self.next;
        self.next += count;
        sure(values.get_mut(from..))
    }

    /// The chaining value of the chunk that `input` begins with, `offset` bytes into the whole.
    #[inline(always)]
    pub fn chunk(&mut self, key: Mode, offset: u64, input: &[u8]) -> Value {
        *sure(self.take(key, offset / CHUNK_LEN as u64, input, 1).first())
    }

    /// The chaining values of both halves of the subtree of `length` bytes that `input` begins with.
    #[inline(always)]
    pub fn halves(&mut self, key: Mode, offset: u64, input: &[u8], length: usize) -> [Value; 2] {
        let (counter, n) = (offset / CHUNK_LEN as u64, length / CHUNK_LEN);
        if n < AHEAD {
            let from = self.take(key, counter, input, n);
            joined(key, from, &mut [[0; 32]; 4], n)
        } else {
            halves(key, sure(input.get(..length)), counter)
        }
    }
}
