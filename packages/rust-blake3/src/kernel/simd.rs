//! Four 32-bit lanes of simd128, and the way of blocks and chaining values into and out of them.
//!
//! All `unsafe` of the kernel is here. Loads and stores have no form in core that takes references; each covers exactly the array that
//! the caller lends. Volatile reads keep from the compiler what it must not know.
#![allow(unsafe_code)]

use core::arch::wasm32::*;
use core::ptr::read_volatile;

use super::{Block, Value};
use crate::sure;

pub type V = v128;

#[inline(always)]
pub fn words(a: u32, b: u32, c: u32, d: u32) -> V {
    u32x4(a, b, c, d)
}

#[inline(always)]
pub fn splat(x: u32) -> V {
    u32x4_splat(x)
}

#[inline(always)]
pub fn add(a: V, b: V) -> V {
    i32x4_add(a, b)
}

#[inline(always)]
pub fn xor(a: V, b: V) -> V {
    v128_xor(a, b)
}

#[inline(always)]
fn or(a: V, b: V) -> V {
    v128_or(a, b)
}

/// `a` in the lanes where `mask` is all ones, `b` where it is zero.
#[inline(always)]
pub fn choose(mask: V, a: V, b: V) -> V {
    v128_bitselect(a, b, mask)
}

/// All ones where `a < b`.
#[inline(always)]
pub fn below(a: V, b: V) -> V {
    u32x4_lt(a, b)
}

/// Lanes A to D of the eight lanes of `a` then `b`.
#[inline(always)]
pub fn pick<const A: usize, const B: usize, const C: usize, const D: usize>(a: V, b: V) -> V {
    i32x4_shuffle::<A, B, C, D>(a, b)
}

#[inline(always)]
pub fn rot12(v: V) -> V {
    or(u32x4_shr(v, 12), u32x4_shl(v, 20))
}

#[inline(always)]
pub fn rot7(v: V) -> V {
    or(u32x4_shr(v, 7), u32x4_shl(v, 25))
}

#[inline(always)]
fn load(bytes: &[u8; 16]) -> V {
    // SAFETY: 16 bytes; v128_load needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

#[inline(always)]
fn store(bytes: &mut [u8; 16], v: V) {
    // SAFETY: as in `load`.
    unsafe { v128_store(bytes.as_mut_ptr().cast(), v) }
}

/// The words of a block. The last byte is read first: wazero then checks bounds once.
#[inline(always)]
pub fn load_block(block: &Block) -> [V; 4] {
    // SAFETY: a reference. Volatile, so that it is neither left out nor moved.
    unsafe { read_volatile(&block[63]) };
    let (quarters, _) = block.as_chunks();
    [0, 1, 2, 3].map(|i| load(&quarters[i]))
}

/// A word in all lanes.
#[inline(always)]
pub fn splat_word(value: &Value, i: usize) -> V {
    let (words, _) = value.as_chunks::<4>();
    // SAFETY: 4 bytes; the load needs no alignment.
    unsafe { v128_load32_splat(words[i].as_ptr().cast()) }
}

#[inline(always)]
pub fn load_value(value: &Value) -> [V; 2] {
    let (halves, _) = value.as_chunks();
    [load(&halves[0]), load(&halves[1])]
}

#[inline(always)]
pub fn store_value(value: &mut Value, v: [V; 2]) {
    let (halves, _) = value.as_chunks_mut();
    store(&mut halves[1], v[1]);
    store(&mut halves[0], v[0]);
}

/// Two chaining values, or a block.
#[inline(always)]
pub fn to_bytes(v: [[V; 2]; 2]) -> [Value; 2] {
    // SAFETY: both are 64 bytes, of which any will do.
    unsafe { core::mem::transmute(v) }
}

/// The last block of an input, from `start`, with zeros behind. Reads no byte outside the input.
#[inline(never)]
pub fn padded(input: &[u8], start: usize) -> Block {
    let mut short = [0; 16];
    let mut input = input;
    if input.len() < 16 {
        sure(short.get_mut(..input.len())).copy_from_slice(input);
        input = &short;
    }
    let last = input.len() - 16;
    let index = u8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let quarters = [0, 16, 32, 48].map(|quarter| {
        let at = start + quarter;
        let from = at.min(last);
        let bytes = sure(sure(input.get(from..)).first_chunk());
        // Where swizzle's index is beyond 15, it gives zero.
        u8x16_swizzle(
            load(bytes),
            u8x16_add(index, u8x16_splat((at - from) as u8)),
        )
    });
    // SAFETY: both are 64 bytes, of which any will do.
    unsafe { core::mem::transmute(quarters) }
}

#[repr(C, align(16))]
struct Table {
    rot16: V,
    rot8: V,
    turn: [V; 3],
}

static TABLE: Table = Table {
    rot16: u8x16(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13),
    rot8: u8x16(1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12),
    turn: [
        u8x16(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3),
        u8x16(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7),
        u8x16(12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    ],
};

/// A mask that the compiler can't see. It turns a swizzle by one that it can into `i8x16.shuffle`, for which wazero (two table
/// look-ups) and V8 (a mask built anew each time) make slower code.
#[inline(always)]
fn hidden(mask: &V) -> V {
    // SAFETY: a reference.
    unsafe { read_volatile(mask) }
}

/// Rotations of each lane by whole bytes.
#[derive(Clone, Copy)]
pub struct Masks {
    rot16: V,
    rot8: V,
}

impl Masks {
    #[inline(always)]
    pub fn new() -> Self {
        Masks {
            rot16: hidden(&TABLE.rot16),
            rot8: hidden(&TABLE.rot8),
        }
    }

    #[inline(always)]
    pub fn rot16(&self, v: V) -> V {
        u8x16_swizzle(v, self.rot16)
    }

    #[inline(always)]
    pub fn rot8(&self, v: V) -> V {
        u8x16_swizzle(v, self.rot8)
    }
}

/// Rotations of the lanes: lane i of `left::<N>` is lane i + N.
#[derive(Clone, Copy)]
pub struct Turns([V; 3]);

impl Turns {
    #[inline(always)]
    pub fn new() -> Self {
        Turns([0, 1, 2].map(|i| hidden(&TABLE.turn[i])))
    }

    #[inline(always)]
    pub fn left<const N: usize>(&self, v: V) -> V {
        u8x16_swizzle(v, self.0[N - 1])
    }
}
