//! Four inputs at once, one in each lane, which is bound by throughput.

use super::simd::*;
use super::{Block, Flags, IV, Value};

const SCHEDULE: [[usize; 16]; 7] = {
    let permutation = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut s = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]; 7];
    let mut r = 1;
    while r < 7 {
        let mut i = 0;
        while i < 16 {
            s[r][i] = s[r - 1][permutation[i]];
            i += 1;
        }
        r += 1;
    }
    s
};

#[inline(always)]
fn g(v: &mut [V; 16], [a, b, c, d]: [usize; 4], x: V, y: V, m: &Masks) {
    v[a] = add(add(v[a], x), v[b]);
    v[d] = m.rot16(xor(v[d], v[a]));
    v[c] = add(v[c], v[d]);
    v[b] = rot12(xor(v[b], v[c]));
    v[a] = add(add(v[a], y), v[b]);
    v[d] = m.rot8(xor(v[d], v[a]));
    v[c] = add(v[c], v[d]);
    v[b] = rot7(xor(v[b], v[c]));
}

/// One round. R is a constant, so that every index is known and all words stay locals.
#[inline(always)]
fn round<const R: usize>(v: &mut [V; 16], w: &[V; 16], m: &Masks) {
    let w = |i: usize| w[SCHEDULE[R][i]];
    g(v, [0, 4, 8, 12], w(0), w(1), m);
    g(v, [1, 5, 9, 13], w(2), w(3), m);
    g(v, [2, 6, 10, 14], w(4), w(5), m);
    g(v, [3, 7, 11, 15], w(6), w(7), m);
    g(v, [0, 5, 10, 15], w(8), w(9), m);
    g(v, [1, 6, 11, 12], w(10), w(11), m);
    g(v, [2, 7, 8, 13], w(12), w(13), m);
    g(v, [3, 4, 9, 14], w(14), w(15), m);
}

#[inline(always)]
fn transpose(a: V, b: V, c: V, d: V) -> [V; 4] {
    let (t, u) = (pick::<0, 4, 1, 5>(a, b), pick::<2, 6, 3, 7>(a, b));
    let (w, x) = (pick::<0, 4, 1, 5>(c, d), pick::<2, 6, 3, 7>(c, d));
    [
        pick::<0, 1, 4, 5>(t, w),
        pick::<2, 3, 6, 7>(t, w),
        pick::<0, 1, 4, 5>(u, x),
        pick::<2, 3, 6, 7>(u, x),
    ]
}

/// Eight words of each lane, as four chaining values.
#[inline(always)]
fn untransposed(h: [V; 8]) -> [[V; 2]; 4] {
    let [a, b, c, d] = transpose(h[0], h[1], h[2], h[3]);
    let [e, f, g, h] = transpose(h[4], h[5], h[6], h[7]);
    [[a, e], [b, f], [c, g], [d, h]]
}

#[inline(always)]
fn store4(out: [&mut Value; 4], values: [[V; 2]; 4]) {
    for (out, value) in out.into_iter().zip(values) {
        store_value(out, value);
    }
}

/// The words of block `b` of each lane, transposed.
#[inline(always)]
fn load4(lanes: [&[Block]; 4], last: &Block, b: usize) -> [V; 16] {
    let [p, q, r, s] = lanes.map(|lane| load_block(lane.get(b).unwrap_or(last)));
    // Not in a loop, which would pass the words through memory.
    let [w0, w1, w2, w3] = transpose(p[0], q[0], r[0], s[0]);
    let [w4, w5, w6, w7] = transpose(p[1], q[1], r[1], s[1]);
    let [w8, w9, w10, w11] = transpose(p[2], q[2], r[2], s[2]);
    let [w12, w13, w14, w15] = transpose(p[3], q[3], r[3], s[3]);
    [
        w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15,
    ]
}

/// Up to four inputs of up to `blocks` blocks.
pub struct Work<'a> {
    pub key: &'a Value,
    /// A lane with fewer than `blocks` goes on with `last`.
    pub lanes: [&'a [Block]; 4],
    pub last: &'a Block,
    /// Bytes in `last`.
    pub len: u32,
    pub blocks: usize,
    /// Lanes that end together. The next one ends with its first `last`, which may be before the others. Those after it may be
    /// anything.
    pub whole: usize,
    /// Of lane 0; each lane's is one more. Parents, of which `whole` is 4, all have this.
    pub counter: u64,
    pub flags: Flags,
}

/// Writes four chaining values to `out`; or, where that has room for eight, which needs `blocks` to be 1, each lane's 64 bytes of
/// output.
#[inline(never)]
pub fn four(work: &Work, out: &mut [Value]) {
    let &Work {
        key,
        lanes,
        last,
        len,
        blocks,
        whole,
        counter,
        flags,
    } = work;
    let m = Masks::new();
    let word = |i: usize| splat_word(key, i);
    let mut h: [V; 8] = core::array::from_fn(word);
    let lane = words(0, 1, 2, 3);
    let base = splat(counter as u32);
    let low = if whole < 4 { add(base, lane) } else { base };
    let high = (counter >> 32) as u32;
    let high = choose(below(low, base), splat(high.wrapping_add(1)), splat(high));
    let lasting = below(lane, splat(whole as u32));
    let ends = lanes[if whole == 2 { 2 } else { 3 }].len();
    let mut bits = flags.first();
    let mut at = 0;
    loop {
        let end = at + 1 == blocks;
        let (mut f, mut n) = (splat(bits), splat(64));
        if end || at == ends {
            let last = splat(bits | flags.end());
            f = if end { last } else { choose(lasting, f, last) };
            n = choose(lasting, n, splat(len));
        }
        let w = load4(lanes, last, at);
        let c = IV.map(splat);
        let mut v = [
            h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], c[0], c[1], c[2], c[3], low, high, n, f,
        ];
        round::<0>(&mut v, &w, &m);
        round::<1>(&mut v, &w, &m);
        round::<2>(&mut v, &w, &m);
        round::<3>(&mut v, &w, &m);
        round::<4>(&mut v, &w, &m);
        round::<5>(&mut v, &w, &m);
        round::<6>(&mut v, &w, &m);
        h = core::array::from_fn(|i| xor(v[i], v[8 + i]));
        if end || at == ends {
            // Before the branch, lest both sides have the shuffles.
            let values = untransposed(h);
            if let [a, e, b, f, c, g, d, h] = out {
                store4([a, b, c, d], values);
                let high = core::array::from_fn(|i| xor(v[8 + i], word(i)));
                return store4([e, f, g, h], untransposed(high));
            }
            if let [a, b, c, d] = out {
                store_value(a, values[0]);
                store_value(b, values[1]);
                // What a lane that ended before has written stays.
                if at <= ends || whole > 2 {
                    store_value(c, values[2]);
                }
                if at <= ends || whole > 3 {
                    store_value(d, values[3]);
                }
            }
            if end {
                return;
            }
        }
        (bits, at) = (flags.each(), at + 1);
    }
}
