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

use crate::tree::{CHUNK_LEN, ChainingValue as Value, Mode};
use four::{Out, Work, four};
use one::{Side, chain, pair};

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
struct Key<'a> {
    value: &'a Value,
    bits: u32,
}

const HASH: Key = Key {
    value: &IV_BYTES,
    bits: 0,
};

impl Key<'_> {
    #[inline(always)]
    fn of(mode: &Mode) -> Key<'_> {
        match mode.number() {
            0 => HASH,
            1 => Key {
                value: mode.key(),
                bits: KEYED_HASH,
            },
            _ => Key {
                value: mode.key(),
                bits: DERIVE_KEY_MATERIAL,
            },
        }
    }
    #[inline(always)]
    fn chunk(self, end: u32) -> Flags {
        Flags::new(CHUNK_START, self.bits, end)
    }
    #[inline(always)]
    fn parent(self) -> Flags {
        Flags::new(0, self.bits | PARENT, 0)
    }
}

/// The whole blocks of an input but the last, the last block, and how many bytes of it are input.
#[inline(always)]
fn split<'a>(input: &'a [u8], room: &'a mut Block) -> (&'a [Block], &'a Block, u32) {
    let (blocks, rest) = input.as_chunks();
    if let ([], Some((last, full))) = (rest, blocks.split_last()) {
        return (full, last, 64);
    }
    simd::pad(room, input, rest);
    (blocks, room, rest.len() as u32)
}

/// Four chunks.
const GROUP: usize = 4 * CHUNK_LEN;

/// The chaining values of one to four chunks, of which the last need not be whole. The rest of `out` may be written.
#[inline(never)]
fn chunks(key: Key, input: &[u8], counter: u64, out: &mut [Value; 4]) {
    let mut room = [0; 64];
    let (before, tail) = input.split_at(input.len().saturating_sub(1) & !(CHUNK_LEN - 1));
    let (full, last, len) = split(tail, &mut room);
    let (before, _) = before.as_chunks::<64>();
    let flags = key.chunk(CHUNK_END);
    let (before, _) = before.as_chunks::<16>();
    match before {
        [] => [out[0], _] = chain(key.value, full, last, len, counter, flags),
        [first] => {
            let (now, later) = first.split_at((full.len() + 1).min(16));
            let a = Side {
                counter,
                flags: if later.is_empty() { flags } else { key.chunk(0) },
            };
            let b = Side {
                counter: counter + 1,
                flags,
            };
            [out[0], out[1]] = pair(key.value, (now, a), (full, b), last, len);
            if let Some((last, full)) = later.split_last() {
                let flags = Flags::new(0, key.bits, CHUNK_END);
                let start = out[0];
                [out[0], _] = chain(&start, full, last, 64, counter, flags);
            }
        }
        _ => {
            let mut lanes: [&[Block]; 4] = [&before[0], &before[1], full, &[]];
            if let [_, _, third, ..] = before {
                [lanes[2], lanes[3]] = [third, full];
            }
            let work = Work {
                key: key.value,
                lanes,
                blocks: 16,
                whole: before.len(),
                last,
                len,
                count: true,
                counter,
                flags,
            };
            four(&work, Out::Values(out));
        }
    }
}

/// The chaining values of one to four parents. The rest of `out` may be written.
#[inline(never)]
fn parents(key: Key, blocks: &[Block], out: &mut [Value; 4]) {
    let flags = key.parent();
    match blocks {
        [] => {}
        [block] => [out[0], _] = chain(key.value, &[], block, 64, 0, flags),
        [block, last] => {
            let side = || Side { counter: 0, flags };
            let block = core::slice::from_ref(block);
            [out[0], out[1]] = pair(key.value, (block, side()), (&[], side()), last, 64);
        }
        [first, ..] => {
            let lane = |i: usize| blocks.get(i..i + 1).unwrap_or_default();
            let work = Work {
                key: key.value,
                lanes: [lane(0), lane(1), lane(2), lane(3)],
                blocks: 1,
                whole: 4,
                last: first,
                len: 64,
                count: false,
                counter: 0,
                flags,
            };
            four(&work, Out::Values(out));
        }
    }
}

/// Joins neighbours among the first `n` chaining values, level by level, until two are left.
#[inline(never)]
fn reduce(key: Key, values: &mut [Value], mut n: usize, stop: usize) {
    while n > stop {
        let pairs = n / 2;
        let mut done = 0;
        while done < pairs {
            let now = (pairs - done).min(4);
            let mut joined = [[0; 32]; 4];
            if let Some(from) = values.get(2 * done..2 * (done + now)) {
                let (blocks, _) = from.as_flattened().as_chunks();
                parents(key, blocks, &mut joined);
            }
            if let Some(to) = values.get_mut(done..done + now) {
                for (to, from) in to.iter_mut().zip(joined) {
                    *to = from;
                }
            }
            done += now;
        }
        if n % 2 == 1 && n <= values.len() {
            values[pairs] = values[n - 1];
        }
        n = pairs + n % 2;
    }
}

/// The chaining values of all chunks of `input`, as far as they fit; how many.
#[inline(always)]
fn leaves(key: Key, input: &[u8], counter: u64, values: &mut [Value]) -> usize {
    let (groups, _) = values.as_chunks_mut::<4>();
    let mut counter = counter;
    for (input, group) in input.chunks(GROUP).zip(groups) {
        chunks(key, input, counter, group);
        counter += 4;
    }
    input.len().div_ceil(CHUNK_LEN)
}

/// Up to this many chunks are hashed before their chaining values are joined.
const LEAVES: usize = 64;

/// The chaining values of both halves of a tree of two chunks or more.
fn halves(key: Key, input: &[u8], counter: u64) -> [Value; 2] {
    #[inline(always)]
    fn at_once<const N: usize>(key: Key, input: &[u8], counter: u64) -> [Value; 2] {
        let mut values = [[0; 32]; N];
        let n = leaves(key, input, counter, &mut values);
        reduce(key, &mut values, n, 2);
        [values[0], values[1]]
    }
    #[inline(never)]
    fn few(key: Key, input: &[u8], counter: u64) -> [Value; 2] {
        at_once::<4>(key, input, counter)
    }
    #[inline(never)]
    fn many(key: Key, input: &[u8], counter: u64) -> [Value; 2] {
        at_once::<LEAVES>(key, input, counter)
    }
    if input.len() <= GROUP {
        return few(key, input, counter);
    }
    if input.len() <= LEAVES * CHUNK_LEN {
        return many(key, input, counter);
    }
    // The largest power of two that leaves something for the right half.
    let middle = 1 << (input.len() - 1).ilog2();
    let (left, right) = input.split_at(middle);
    [
        value(key, left, counter),
        value(key, right, counter + (middle / CHUNK_LEN) as u64),
    ]
}

/// The chaining value of a subtree.
#[inline(never)]
fn value(key: Key, input: &[u8], counter: u64) -> Value {
    let mut out = [[0; 32]; 4];
    if input.len() <= CHUNK_LEN {
        chunks(key, input, counter, &mut out);
    } else {
        let halves = halves(key, input, counter);
        parents(key, halves.as_flattened().as_chunks().0, &mut out);
    }
    out[0]
}

/// The root node, whose output can be read.
pub struct Output {
    value: Value,
    block: Block,
    len: u32,
    bits: u32,
}

#[inline(always)]
fn root_output(key: Key, halves: &[Value; 2]) -> Output {
    let mut block = [0; 64];
    block.copy_from_slice(halves.as_flattened());
    Output {
        value: *key.value,
        block,
        len: 64,
        bits: key.bits | PARENT,
    }
}

#[inline(always)]
fn digest(key: Key, input: &[u8]) -> Value {
    if input.len() <= CHUNK_LEN {
        let mut room = [0; 64];
        let (full, last, len) = split(input, &mut room);
        let flags = key.chunk(CHUNK_END | ROOT);
        return chain(key.value, full, last, len, 0, flags)[0];
    }
    let halves = halves(key, input, 0);
    let flags = Flags::new(0, key.bits | PARENT, ROOT);
    let (block, _) = halves.as_flattened().as_chunks();
    chain(key.value, &[], &block[0], 64, 0, flags)[0]
}

/// The digest of `input`, without a key.
pub fn hash(input: &[u8]) -> Value {
    digest(HASH, input)
}

/// The context key of a context string.
pub fn context_key(context: &str) -> Value {
    let key = Key {
        value: &IV_BYTES,
        bits: DERIVE_KEY_CONTEXT,
    };
    digest(key, context.as_bytes())
}

/// The output of a whole input.
pub fn output(mode: &Mode, input: &[u8]) -> Output {
    let key = Key::of(mode);
    if input.len() > CHUNK_LEN {
        return root_output(key, &halves(key, input, 0));
    }
    let mut room = [0; 64];
    let (full, last, len) = split(input, &mut room);
    let mut output = Output {
        value: *key.value,
        block: *last,
        len,
        bits: key.bits | CHUNK_END,
    };
    match full.split_last() {
        None => output.bits |= CHUNK_START,
        Some((last, full)) => {
            [output.value, _] = chain(key.value, full, last, 64, 0, key.chunk(0));
        }
    }
    output
}

/// The chaining value of a subtree that is not the root.
pub fn subtree(mode: &Mode, offset: u64, input: &[u8]) -> Value {
    value(Key::of(mode), input, offset / CHUNK_LEN as u64)
}

/// The chaining value of a parent.
pub fn merge(mode: &Mode, left: &Value, right: &Value) -> Value {
    let mut out = [[0; 32]; 4];
    let halves = [*left, *right];
    parents(Key::of(mode), halves.as_flattened().as_chunks().0, &mut out);
    out[0]
}

/// The output of a tree, given the root's two children.
pub fn root(mode: &Mode, left: &Value, right: &Value) -> Output {
    root_output(Key::of(mode), &[*left, *right])
}

impl Output {
    /// Blocks of output from `counter`: four at a time, or one.
    #[inline(always)]
    fn four(&self, counter: u64, out: &mut [Value; 8]) {
        let work = Work {
            key: &self.value,
            lanes: [&[]; 4],
            blocks: 1,
            whole: 0,
            last: &self.block,
            len: self.len,
            count: true,
            counter,
            flags: Flags::new(0, self.bits, ROOT),
        };
        four(&work, Out::Wide(out));
    }

    #[inline(always)]
    fn one(&self, counter: u64) -> [Value; 2] {
        let flags = Flags::new(0, self.bits, ROOT);
        chain(&self.value, &[], &self.block, self.len, counter, flags)
    }

    /// Fills `out` from `position`.
    #[inline(never)]
    pub fn read(&self, position: u64, mut out: &mut [u8]) {
        let mut counter = position / 64;
        let skip = position as usize % 64;
        if skip != 0 || out.len() <= 64 {
            let block = self.one(counter);
            let from = &block.as_flattened()[skip..];
            let (to, rest) = out.split_at_mut(out.len().min(from.len()));
            to.copy_from_slice(&from[..to.len()]);
            (out, counter) = (rest, counter + 1);
        }
        let (fours, rest) = out.split_at_mut(out.len() & !255);
        for to in fours.as_chunks_mut().0.as_chunks_mut().0 {
            self.four(counter, to);
            counter += 4;
        }
        if rest.len() > 64 {
            let mut blocks = [[0; 32]; 8];
            self.four(counter, &mut blocks);
            rest.copy_from_slice(&blocks.as_flattened()[..rest.len()]);
        } else if !rest.is_empty() {
            rest.copy_from_slice(&self.one(counter).as_flattened()[..rest.len()]);
        }
    }
}
