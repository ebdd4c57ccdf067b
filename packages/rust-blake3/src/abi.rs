//! The exported functions. `include/blake3_polyglot.h` documents each; names and types here follow it.
//!
//! All `unsafe` of the crate is here, for three reasons: exporting a name, turning the caller's pointer and length into a slice, and
//! clearing the stack. Pointers are checked first, as far as the platform allows. What no check can tell, that they point to memory
//! of the caller's that nobody else uses meanwhile, is the safety contract of each function.
#![allow(clippy::missing_safety_doc)] // the same for all: just above

use core::alloc::{GlobalAlloc, Layout};
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::slice;

use crate::state::State;
use crate::tree::{self, ChainingValue, KEY_LEN, Mode, OUT_LEN};

/// The error codes of the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Error {
    /// A null pointer with a length other than 0.
    Null = 1,
    /// Pointer + length leaves the memory.
    Range = 2,
    /// The state overlaps another argument.
    Overlap = 3,
    /// Not one of the three modes.
    Mode = 4,
    /// `hash` takes no key, the other modes one of 32 bytes.
    KeyLength = 5,
    /// Not a valid state.
    State = 6,
    /// A length, offset or position that BLAKE3's tree does not allow.
    Length = 7,
}

const ABI_VERSION: u32 = 1;
const STATE_SIZE: usize = size_of::<State>();

/// A pointer and a length that passed [`memory`].
#[derive(Clone, Copy)]
struct Memory {
    start: *mut u8,
    length: usize,
}

/// Checks that `[pointer, pointer + length)` can be memory.
fn memory(pointer: *const u8, length: usize) -> Result<Memory, Error> {
    if length == 0 {
        let start = core::ptr::dangling_mut();
        return Ok(Memory { start, length });
    }
    if pointer.is_null() {
        return Err(Error::Null);
    }
    #[cfg(target_arch = "wasm32")]
    let size = (core::arch::wasm32::memory_size::<0>() as u64) << 16;
    #[cfg(not(target_arch = "wasm32"))]
    let size = isize::MAX as u64;
    #[cfg(target_arch = "wasm32")]
    let end = pointer.addr() as u64 + length as u64;
    #[cfg(not(target_arch = "wasm32"))]
    let end = length as u64;
    if end > size || pointer.addr().checked_add(length - 1).is_none() {
        return Err(Error::Range);
    }
    let start = pointer.cast_mut();
    Ok(Memory { start, length })
}

impl Memory {
    /// The bytes, to read while nothing is written.
    fn bytes(&self) -> &[u8] {
        // SAFETY: `memory` checked it, and the caller vouches for the rest.
        unsafe { slice::from_raw_parts(self.start, self.length) }
    }

    /// The bytes, to write once no input is needed any more.
    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; every function makes this its last use of the caller's memory.
        unsafe { slice::from_raw_parts_mut(self.start, self.length) }
    }

    fn array<const N: usize>(&self) -> Result<[u8; N], Error> {
        self.bytes().try_into().map_err(|_| Error::Range)
    }

    fn overlaps(&self, other: &Memory) -> bool {
        let (start, end) = (self.start.addr(), other.start.addr());
        start < end + other.length && end < start + self.length
    }
}

/// The caller's state, to change in place. It must overlap none of `others`.
fn state<'a>(pointer: *mut u8, others: &[Memory]) -> Result<&'a mut State, Error> {
    let at = memory(pointer, STATE_SIZE)?;
    if others.iter().any(|other| at.overlaps(other)) {
        return Err(Error::Overlap);
    }
    // SAFETY: STATE_SIZE bytes of the caller's, which overlap no other argument; State has alignment 1 and no invalid bytes.
    Ok(unsafe { &mut *at.start.cast::<State>() })
}

/// A mode and its key, as the ABI passes them.
#[inline(never)]
fn keyed(mode: u32, key: *const u8, key_length: usize) -> Result<Mode, Error> {
    Mode::new(mode, memory(key, key_length)?.bytes())
}

fn code(result: Result<(), Error>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => error as i32,
    }
}

/// Runs `call`, then clears the stack that it used, where that held a secret.
#[inline(always)]
fn guarded(secret: bool, call: impl FnOnce() -> Result<(), Error>) -> i32 {
    #[inline(never)]
    fn apart(call: impl FnOnce() -> Result<(), Error>) -> i32 {
        code(call())
    }
    let result = apart(call);
    if secret {
        clear_stack();
    }
    result
}

/// Deeper than any call of this file goes; less than the stack of the artifact.
const STACK_USED: usize = 12 * 1024;

#[inline(never)]
fn clear_stack() {
    let mut unused = MaybeUninit::<[u8; STACK_USED]>::uninit();
    // SAFETY: a local of its own, as large as is written.
    unsafe { unused.as_mut_ptr().write_bytes(0, 1) };
    black_box(&mut unused);
}

/// Returns the version of the ABI.
#[unsafe(no_mangle)]
pub extern "C" fn b3_abi_version() -> u32 {
    ABI_VERSION
}

/// Writes the digest of `input` to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hash(input: *const u8, input_length: usize, out: *mut u8) -> i32 {
    code((|| {
        let input = memory(input, input_length)?;
        let mut out = memory(out, OUT_LEN)?;
        let digest = tree::hash(input.bytes());
        out.bytes_mut().copy_from_slice(&digest);
        Ok(())
    })())
}

/// Writes output of `input` in a mode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_hash(
    mode: u32,
    key: *const u8,
    key_length: usize,
    input: *const u8,
    input_length: usize,
    out: *mut u8,
    out_length: usize,
) -> i32 {
    guarded(mode != 0, || {
        let mode = keyed(mode, key, key_length)?;
        let input = memory(input, input_length)?;
        let mut out = memory(out, out_length)?;
        let output = mode.output(input.bytes());
        tree::read(output, 0, out.bytes_mut())
    })
}

/// Writes the context key of a context string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_context_key(
    context: *const u8,
    context_length: usize,
    out: *mut u8,
) -> i32 {
    guarded(true, || {
        let context = memory(context, context_length)?;
        let mut out = memory(out, KEY_LEN)?;
        // SAFETY: BLAKE3 hashes the bytes of the context, and the kernels do nothing else with the string.
        let context = unsafe { core::str::from_utf8_unchecked(context.bytes()) };
        let key = tree::context_key(context);
        out.bytes_mut().copy_from_slice(&key);
        Ok(())
    })
}

/// Writes the state of a hasher that has seen no input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_state_init(
    at: *mut u8,
    mode: u32,
    key: *const u8,
    key_length: usize,
) -> i32 {
    guarded(mode != 0, || {
        let key = memory(key, key_length)?;
        let at = state(at, &[key])?;
        *at = State::new(&Mode::new(mode, key.bytes())?);
        Ok(())
    })
}

/// Checks all of a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_state_check(at: *const u8) -> i32 {
    guarded(true, || state(at.cast_mut(), &[])?.check())
}

/// Appends input to a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_state_update(
    at: *mut u8,
    input: *const u8,
    input_length: usize,
) -> i32 {
    stateful(at, || {
        let input = memory(input, input_length)?;
        state(at, &[input])?.update(input.bytes())
    })
}

/// Appends a subtree, given by its halves, to a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_state_append(at: *mut u8, halves: *const u8, length: u64) -> i32 {
    stateful(at, || {
        let halves = memory(halves, 2 * OUT_LEN)?;
        let at = state(at, &[halves])?;
        let (halves, _) = halves.bytes().as_chunks::<OUT_LEN>();
        at.append([halves[0], halves[1]], length)
    })
}

/// Writes output of a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_state_output(
    at: *const u8,
    position: u64,
    out: *mut u8,
    out_length: usize,
) -> i32 {
    let at = at.cast_mut();
    stateful(at, || {
        let mut out = memory(out, out_length)?;
        let output = state(at, &[out])?.output()?;
        tree::read(output, position, out.bytes_mut())
    })
}

/// [`guarded`], secret where the state at `at` is keyed.
#[inline(always)]
fn stateful(at: *mut u8, call: impl FnOnce() -> Result<(), Error>) -> i32 {
    let secret = state(at, &[]).is_ok_and(|state| state.is_keyed());
    guarded(secret, call)
}

/// Writes the chaining value of a subtree.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_subtree(
    mode: u32,
    key: *const u8,
    key_length: usize,
    offset: u64,
    input: *const u8,
    input_length: usize,
    out: *mut u8,
) -> i32 {
    guarded(mode != 0, || {
        let mode = keyed(mode, key, key_length)?;
        let input = memory(input, input_length)?;
        let mut out = memory(out, OUT_LEN)?;
        let value = mode.subtree(offset, input.bytes())?;
        out.bytes_mut().copy_from_slice(&value);
        Ok(())
    })
}

/// The two children of a parent.
fn children(left: *const u8, right: *const u8) -> Result<[ChainingValue; 2], Error> {
    Ok([
        memory(left, OUT_LEN)?.array()?,
        memory(right, OUT_LEN)?.array()?,
    ])
}

/// Writes the chaining value of a parent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_merge(
    mode: u32,
    key: *const u8,
    key_length: usize,
    left: *const u8,
    right: *const u8,
    out: *mut u8,
) -> i32 {
    guarded(mode != 0, || {
        let mode = keyed(mode, key, key_length)?;
        let [left, right] = children(left, right)?;
        let mut out = memory(out, OUT_LEN)?;
        let value = mode.merge(&left, &right);
        out.bytes_mut().copy_from_slice(&value);
        Ok(())
    })
}

/// Writes output of a whole tree.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_root(
    mode: u32,
    key: *const u8,
    key_length: usize,
    left: *const u8,
    right: *const u8,
    position: u64,
    out: *mut u8,
    out_length: usize,
) -> i32 {
    guarded(mode != 0, || {
        let mode = keyed(mode, key, key_length)?;
        let [left, right] = children(left, right)?;
        let mut out = memory(out, out_length)?;
        let output = mode.root(&left, &right);
        tree::read(output, position, out.bytes_mut())
    })
}

/// The heap behind `alloc`: the system's, or a free list in linear memory.
#[cfg(not(target_arch = "wasm32"))]
static HEAP: std::alloc::System = std::alloc::System;
#[cfg(target_arch = "wasm32")]
static HEAP: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    // SAFETY: an instance has one thread; the artifact is built without atomics.
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// The layout of an allocation. The limit keeps the free list's rounding from overflowing.
fn layout(size: usize) -> Option<Layout> {
    let allowed = size != 0 && size <= usize::MAX / 4;
    allowed.then(|| Layout::from_size_align(size, 16).ok())?
}

/// Returns `size` bytes of memory, or null.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(size: usize) -> *mut u8 {
    layout(size).map_or(core::ptr::null_mut(), |layout| {
        // SAFETY: the size is not 0.
        unsafe { HEAP.alloc(layout) }
    })
}

/// Frees what `alloc` returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dealloc(pointer: *mut u8, size: usize) -> i32 {
    code((|| {
        let freed = memory(pointer, size)?;
        if size == 0 {
            return Ok(());
        }
        let layout = layout(size).ok_or(Error::Range)?;
        if !pointer.addr().is_multiple_of(layout.align()) {
            return Err(Error::Range);
        }
        // SAFETY: the caller vouches that `alloc(size)` returned it.
        unsafe { HEAP.dealloc(freed.start, layout) };
        Ok(())
    })())
}

#[cfg(target_arch = "wasm32")]
pub use staging::*;

/// Memory that is the host's from the start.
#[cfg(target_arch = "wasm32")]
mod staging {
    use core::cell::UnsafeCell;

    const SIZE: usize = (64 + 8) * 1024;

    #[repr(C, align(64))]
    struct Staging(UnsafeCell<[u8; SIZE]>);
    // SAFETY: only its address is used here.
    unsafe impl Sync for Staging {}
    static STAGING: Staging = Staging(UnsafeCell::new([0; SIZE]));

    /// Returns the address of the staging area.
    #[unsafe(no_mangle)]
    pub extern "C" fn b3_staging() -> *mut u8 {
        STAGING.0.get().cast()
    }

    /// Returns the size of the staging area.
    #[unsafe(no_mangle)]
    pub extern "C" fn b3_staging_size() -> usize {
        SIZE
    }
}
