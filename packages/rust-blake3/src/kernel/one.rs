//! One block in four row vectors, which is bound by latency, and two independent blocks side by side.

use super::simd::*;
use super::{Block, Flags, IV, Input, Value, split};

/// The state as rows a, b, c, d.
struct Rows {
    a: V,
    b: V,
    c: V,
    d: V,
}

/// The words of one round: x, y of the column step, then of the diagonal step. In the latter, lane i holds the diagonal that has row
/// b's lane i, so that b need not turn.
#[derive(Clone, Copy)]
struct Words {
    x0: V,
    y0: V,
    x1: V,
    y1: V,
}

impl Words {
    #[inline(always)]
    fn load(block: &Block) -> Self {
        let [a, b, c, d] = load_block(block);
        Words {
            x0: pick::<0, 2, 4, 6>(a, b), // 0 2 4 6
            y0: pick::<1, 3, 5, 7>(a, b), // 1 3 5 7
            x1: pick::<6, 0, 2, 4>(c, d), // 14 8 10 12
            y1: pick::<7, 1, 3, 5>(c, d), // 15 9 11 13
        }
    }

    /// The next round's, by the message permutation 2 6 3 10 7 0 4 13 1 11 12 5 9 14 15 8.
    #[inline(always)]
    fn permute(self) -> Self {
        let Words { x0, y0, x1, y1 } = self;
        let t = pick::<3, 6, 0, 0>(x0, x1); // 6 10 0 .
        let u = pick::<0, 4, 4, 1>(y1, y0); // 15 1 . 9
        let w = pick::<1, 0, 6, 0>(x1, y0); // 8 . 5 14
        Words {
            x0: pick::<1, 5, 7, 2>(x0, y0), // 2 3 7 4
            y0: pick::<0, 1, 2, 7>(t, y1),  // 6 10 0 13
            x1: pick::<0, 1, 7, 3>(u, x1),  // 15 1 12 9
            y1: pick::<0, 6, 2, 3>(w, y1),  // 8 11 5 14
        }
    }
}

impl Rows {
    #[inline(always)]
    fn new(value: [V; 2], counter: u64, len: u32, flags: u32) -> Self {
        Rows {
            a: value[0],
            b: value[1],
            c: words(IV[0], IV[1], IV[2], IV[3]),
            d: words(counter as u32, (counter >> 32) as u32, len, flags),
        }
    }

    #[inline(always)]
    fn mix(&mut self, x: V, y: V, m: &Masks) {
        self.a = add(add(self.a, x), self.b);
        self.d = m.rot16(xor(self.d, self.a));
        self.c = add(self.c, self.d);
        self.b = rot12(xor(self.b, self.c));
        self.a = add(add(self.a, y), self.b);
        self.d = m.rot8(xor(self.d, self.a));
        self.c = add(self.c, self.d);
        self.b = rot7(xor(self.b, self.c));
    }

    /// b is the last to be ready, so the others turn round it.
    #[inline(always)]
    fn turn_to_diagonals(&mut self, t: &Turns) {
        self.a = t.left::<3>(self.a);
        self.d = t.left::<2>(self.d);
        self.c = t.left::<1>(self.c);
    }

    #[inline(always)]
    fn turn_to_columns(&mut self, t: &Turns) {
        self.a = t.left::<1>(self.a);
        self.d = t.left::<2>(self.d);
        self.c = t.left::<3>(self.c);
    }

    #[inline(always)]
    fn value(&self) -> [V; 2] {
        [xor(self.a, self.c), xor(self.b, self.d)]
    }
}

#[inline(always)]
fn round(s: &mut Rows, w: Words, m: &Masks, t: &Turns) {
    s.mix(w.x0, w.y0, m);
    s.turn_to_diagonals(t);
    s.mix(w.x1, w.y1, m);
    s.turn_to_columns(t);
}

/// A loop: written out, seven rounds are more code than the processor's front end takes in while it runs one block.
#[inline(always)]
fn rounds(s: &mut Rows, mut w: Words, m: &Masks, t: &Turns) {
    let mut left = 7;
    loop {
        round(s, w, m, t);
        left -= 1;
        if left == 0 {
            return;
        }
        w = w.permute();
    }
}

/// Two blocks, step by step in turn. A loop, lest the code outgrow the instruction cache beside `four`.
#[inline(always)]
fn rounds2(s: &mut Rows, z: &mut Rows, mut w: Words, mut x: Words, m: &Masks, t: &Turns) {
    let mut left = 7;
    loop {
        s.mix(w.x0, w.y0, m);
        z.mix(x.x0, x.y0, m);
        s.turn_to_diagonals(t);
        z.turn_to_diagonals(t);
        s.mix(w.x1, w.y1, m);
        z.mix(x.x1, x.y1, m);
        s.turn_to_columns(t);
        z.turn_to_columns(t);
        left -= 1;
        if left == 0 {
            return;
        }
        (w, x) = (w.permute(), x.permute());
    }
}

/// Compresses the blocks of `input` one after the other from `key`. Returns the last block's 64 bytes of output; the first 32 are the
/// chaining value.
#[inline(never)]
pub fn chain(key: &Value, input: &[u8], counter: u64, flags: Flags) -> [Value; 2] {
    let mut room = None;
    let (full, last, len) = split(input, &mut room);
    let (m, t) = (Masks::new(), Turns::new());
    let mut value = load_value(key);
    let mut bits = flags.first();
    let mut blocks = full.iter();
    loop {
        let next = blocks.next();
        let (block, len, end) = match next {
            Some(block) => (block, 64, 0),
            None => (last, len, flags.end()),
        };
        let mut s = Rows::new(value, counter, len, bits | end);
        rounds(&mut s, Words::load(block), &m, &t);
        let before = value;
        value = s.value();
        if next.is_none() {
            let high = [xor(s.c, before[0]), xor(s.d, before[1])];
            return to_bytes([value, high]);
        }
        bits = flags.each();
    }
}

/// As `chain`, for two inputs of the same number of blocks together: those of `left` with `counter` and `left_flags`, and `right` with
/// `counter` + `step` and `right_flags`. Writes their chaining values.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub fn pair(
    key: &Value,
    left: &[Block],
    (full, last, len): Input,
    counter: u64,
    step: u64,
    left_flags: Flags,
    right_flags: Flags,
    out: &mut [Value; 2],
) {
    let (m, t) = (Masks::new(), Turns::new());
    let (mut g, mut h) = (load_value(key), load_value(key));
    let mut bits = right_flags.first();
    let mut right = full.iter();
    for block in left {
        let next = right.next();
        let (other, len, end, ends) = match next {
            Some(other) => (other, 64, 0, 0),
            None => (last, len, left_flags.end(), right_flags.end()),
        };
        let mut s = Rows::new(g, counter, 64, bits | end);
        let mut z = Rows::new(h, counter + step, len, bits | ends);
        rounds2(
            &mut s,
            &mut z,
            Words::load(block),
            Words::load(other),
            &m,
            &t,
        );
        (g, h) = (s.value(), z.value());
        bits = right_flags.each();
    }
    store_value(&mut out[1], h);
    store_value(&mut out[0], g);
}
