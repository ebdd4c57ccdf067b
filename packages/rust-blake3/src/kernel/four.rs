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
fn store4(out: [&mut Value; 4], h: [V; 8]) {
    let a = transpose(h[0], h[1], h[2], h[3]);
    let b = transpose(h[4], h[5], h[6], h[7]);
    for (i, value) in out.into_iter().enumerate() {
        store_value(value, [a[i], b[i]]);
    }
}

/// The words of block `b` of each lane, transposed.
#[inline(always)]
fn load4(work: &Work, b: usize) -> [V; 16] {
    let [p, q, r, s] = work
        .lanes
        .map(|lane| load_block(lane.get(b).unwrap_or(work.last)));
    let mut w = [p[0]; 16];
    for k in 0..4 {
        w[4 * k..4 * k + 4].copy_from_slice(&transpose(p[k], q[k], r[k], s[k]));
    }
    w
}

/// Up to four inputs, the first `whole` of them of `blocks` blocks.
pub struct Work<'a> {
    pub key: &'a Value,
    /// Blocks of each lane. One with fewer than `blocks` goes on with `last`.
    pub lanes: [&'a [Block]; 4],
    pub blocks: usize,
    pub whole: usize,
    /// Ends lane `whole`, which may be before the others end, and those after it, whose results mean something where they are as long.
    pub last: &'a Block,
    /// Bytes in `last`.
    pub len: u32,
    /// Lane i has counter `counter + i` where this says so, else `counter`.
    pub count: bool,
    pub counter: u64,
    pub flags: Flags,
}

/// Where the results go: chaining values, or each lane's 64 bytes of output where `blocks` is 1.
pub enum Out<'a> {
    Values(&'a mut [Value; 4]),
    Wide(&'a mut [Value; 8]),
}

#[inline(never)]
pub fn four(work: &Work, mut out: Out) {
    let m = Masks::new();
    let key = |i: usize| {
        let (words, _) = work.key.as_chunks();
        splat(u32::from_le_bytes(words[i]))
    };
    let mut h: [V; 8] = core::array::from_fn(key);
    let lane = words(0, 1, 2, 3);
    let base = splat(work.counter as u32);
    let low = if work.count { add(base, lane) } else { base };
    let high = (work.counter >> 32) as u32;
    let high = choose(below(low, base), splat(high.wrapping_add(1)), splat(high));
    let whole = below(lane, splat(work.whole as u32));
    let short = work.whole % 4;
    let ends = work.lanes[short].len();
    let mut early = [0; 32];
    let mut bits = work.flags.first();
    let mut b = 0;
    loop {
        let end = b + 1 == work.blocks;
        let (mut f, mut len) = (splat(bits), splat(64));
        if end || b == ends {
            let last = splat(bits | work.flags.end());
            f = if end { last } else { choose(whole, f, last) };
            len = choose(whole, len, splat(work.len));
        }
        let w = load4(work, b);
        let c = IV.map(splat);
        let mut v = [
            h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], c[0], c[1], c[2], c[3], low, high, len, f,
        ];
        round::<0>(&mut v, &w, &m);
        round::<1>(&mut v, &w, &m);
        round::<2>(&mut v, &w, &m);
        round::<3>(&mut v, &w, &m);
        round::<4>(&mut v, &w, &m);
        round::<5>(&mut v, &w, &m);
        round::<6>(&mut v, &w, &m);
        h = core::array::from_fn(|i| xor(v[i], v[8 + i]));
        if end || b == ends {
            let low = match &mut out {
                Out::Values([a, b, c, d]) => [a, b, c, d],
                Out::Wide([a, e, b, f, c, g, d, h]) => {
                    store4([e, f, g, h], core::array::from_fn(|i| xor(v[8 + i], key(i))));
                    [a, b, c, d]
                }
            };
            store4(low, h);
            if let Out::Values(values) = &mut out {
                if !end {
                    early = values[short];
                } else if ends < b && work.whole < 4 {
                    values[short] = early;
                }
            }
            if end {
                return;
            }
        }
        (bits, b) = (work.flags.each(), b + 1);
    }
}
