//! The exported functions. `include/blake3_polyglot.h` documents each; names and types here follow it.
//!
//! `unsafe` is here, and in the vectors of the kernel, for three reasons: exporting a name, turning the caller's pointer and length into a slice, and
//! clearing the stack. Pointers are checked first, as far as the platform allows. What no check can tell, that they point to memory
//! of the caller's that nobody else uses meanwhile, is the safety contract of each function.
#![allow(clippy::missing_safety_doc)] // the same for all: just above

use core::alloc::{GlobalAlloc, Layout};
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::slice;

use crate::kernel::STACK_USED;
use crate::state::State;
use crate::tree::{self, ChainingValue, KEY_LEN, Mode, OUT_LEN, Output};

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

/// Whether `[pointer, pointer + length)` can be memory. No bytes are anywhere.
#[inline(never)]
fn check(pointer: *const u8, length: usize) -> Result<(), Error> {
    if length == 0 {
        return Ok(());
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
    Ok(())
}

/// Bytes of the caller's, to read while nothing is written.
#[inline(always)]
fn input<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], Error> {
    check(pointer, length)?;
    Ok(match length {
        0 => &[],
        // SAFETY: checked, and the caller vouches for the rest.
        _ => unsafe { slice::from_raw_parts(pointer, length) },
    })
}

/// A chaining value of the caller's, as `input`.
#[inline(always)]
fn value<'a>(pointer: *const u8) -> Result<&'a ChainingValue, Error> {
    check(pointer, OUT_LEN)?;
    // SAFETY: as in `input`.
    Ok(unsafe { &*pointer.cast() })
}

/// Bytes of the caller's, to write once no input is needed any more.
struct Place {
    start: *mut u8,
    length: usize,
}

#[inline(always)]
fn place(start: *mut u8, length: usize) -> Result<Place, Error> {
    check(start, length)?;
    Ok(Place { start, length })
}

impl Place {
    #[inline(always)]
    fn write(self, value: &ChainingValue) {
        // SAFETY: checked to be OUT_LEN bytes, the caller vouches for the rest, and this is the last use of the caller's memory.
        unsafe { *self.start.cast() = *value }
    }

    #[inline(always)]
    fn fill(self, output: Output, position: u64) {
        let out: &mut [u8] = match self.length {
            0 => &mut [],
            // SAFETY: as in `write`.
            _ => unsafe { slice::from_raw_parts_mut(self.start, self.length) },
        };
        output.read(position, out);
    }
}

/// Checks the caller's state as memory, which must not overlap `[other, other + length)`.
#[inline(never)]
fn check_state(pointer: *const u8, other: *const u8, length: usize) -> Result<(), Error> {
    check(pointer, STATE_SIZE)?;
    let (at, other) = (pointer.addr(), other.addr());
    if length != 0 && at < other + length && other < at + STATE_SIZE {
        return Err(Error::Overlap);
    }
    Ok(())
}

/// The caller's state, to change in place.
#[inline(always)]
fn state<'a>(pointer: *mut u8, other: *const u8, length: usize) -> Result<&'a mut State, Error> {
    check_state(pointer, other, length)?;
    // SAFETY: STATE_SIZE bytes of the caller's, which overlap no other argument; State has alignment 1 and no invalid bytes.
    Ok(unsafe { &mut *pointer.cast::<State>() })
}

/// A mode and its key, as the ABI passes them.
#[inline(always)]
fn keyed<'a>(mode: u32, key: *const u8, key_length: usize) -> Result<Mode<'a>, Error> {
    check_key(mode, key, key_length)?;
    Ok(Mode::new(mode as u8, key_bytes(mode, key)))
}

#[inline(never)]
fn check_key(mode: u32, key: *const u8, key_length: usize) -> Result<(), Error> {
    check(key, key_length)?;
    tree::check_mode(mode, key_length)
}

/// The key of a checked mode that has one.
#[inline(always)]
fn key_bytes<'a>(mode: u32, key: *const u8) -> Option<&'a [u8; KEY_LEN]> {
    // SAFETY: as in `input`.
    (mode != 0).then(|| unsafe { &*key.cast() })
}

fn code(result: Result<(), Error>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => error as i32,
    }
}

/// Whether the state at `at` is of a mode with a key.
fn holds_secret(at: *const u8) -> bool {
    state(at.cast_mut(), at, 0).is_ok_and(|state| state.is_keyed())
}

/// The code of a result. Where the call had a `secret`, the stack that it used is cleared: everything that handles secrets is in
/// functions of its own, never inlined here, whose frames are free by now.
#[inline(always)]
fn cleared(secret: bool, result: Result<(), Error>) -> i32 {
    let code = code(result);
    if secret {
        clear_stack();
    }
    code
}

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

/// Exports each function under its name: its body runs apart, in a frame of its own, and then the stack is cleared if it had a
/// secret.
macro_rules! export {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) secret $secret:expr, $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> i32 {
            #[inline(never)]
            #[allow(clippy::too_many_arguments)]
            fn apart($($arg: $type),*) -> Result<(), Error> $body
            let secret = $secret;
            cleared(secret, apart($($arg),*))
        }
    )*};
}

/// The digest of an input, or the context key of a context string.
#[inline(never)]
fn digest(context: bool, at: *const u8, length: usize, out: *mut u8) -> Result<(), Error> {
    let bytes = input(at, length)?;
    let out = place(out, OUT_LEN)?;
    out.write(&if context {
        // SAFETY: BLAKE3 hashes the bytes of the context, and the kernels do nothing else with the string.
        tree::context_key(unsafe { core::str::from_utf8_unchecked(bytes) })
    } else {
        tree::hash(bytes)
    });
    Ok(())
}

/// Writes the digest of `input` to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hash(input: *const u8, input_length: usize, out: *mut u8) -> i32 {
    code(digest(false, input, input_length, out))
}

/// Writes the context key of a context string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b3_context_key(
    context: *const u8,
    context_length: usize,
    out: *mut u8,
) -> i32 {
    cleared(true, digest(true, context, context_length, out))
}

export! {
    /// Writes output of `input` in a mode.
    fn b3_hash(
        mode: u32,
        key: *const u8,
        key_length: usize,
        input_at: *const u8,
        input_length: usize,
        out: *mut u8,
        out_length: usize
    ) secret mode != 0, {
        let mode = keyed(mode, key, key_length)?;
        let input = input(input_at, input_length)?;
        let out = place(out, out_length)?;
        out.fill(tree::output(mode, input), 0);
        Ok(())
    }

    /// Writes the state of a hasher that has seen no input.
    fn b3_state_init(at: *mut u8, mode: u32, key: *const u8, key_length: usize) secret mode != 0, {
        check(key, key_length)?;
        let at = state(at, key, key_length)?;
        check_key(mode, key, key_length)?;
        // SAFETY: State has no invalid bytes.
        unsafe { (&raw mut *at).write_bytes(0, 1) };
        at.init(mode as u8, key_bytes(mode, key));
        Ok(())
    }

    /// Checks all of a state.
    fn b3_state_check(at: *const u8) secret true, {
        state(at.cast_mut(), at, 0)?.check()
    }

    /// Appends input to a state.
    fn b3_state_update(at: *mut u8, input_at: *const u8, input_length: usize) secret holds_secret(at), {
        let input = input(input_at, input_length)?;
        state(at, input_at, input_length)?.update(input)
    }

    /// Appends a subtree, given by its halves, to a state.
    fn b3_state_append(at: *mut u8, halves: *const u8, length: u64) secret holds_secret(at), {
        check(halves, 2 * OUT_LEN)?;
        let at = state(at, halves, 2 * OUT_LEN)?;
        // SAFETY: checked, and the caller vouches for the rest.
        at.append(unsafe { &*halves.cast() }, length)
    }

    /// Writes output of a state.
    fn b3_state_output(at: *const u8, position: u64, out: *mut u8, out_length: usize) secret holds_secret(at), {
        let to = place(out, out_length)?;
        let at = state(at.cast_mut(), out, out_length)?;
        at.check_header()?;
        tree::check_output(position, out_length as u64)?;
        to.fill(at.output(), position);
        Ok(())
    }

    /// Writes the chaining value of a subtree.
    fn b3_subtree(
        mode: u32,
        key: *const u8,
        key_length: usize,
        offset: u64,
        input_at: *const u8,
        input_length: usize,
        out: *mut u8
    ) secret mode != 0, {
        let mode = keyed(mode, key, key_length)?;
        let input = input(input_at, input_length)?;
        let out = place(out, OUT_LEN)?;
        tree::check_subtree(offset, input.len() as u64)?;
        out.write(&tree::subtree(mode, offset, input));
        Ok(())
    }

    /// Writes the chaining value of a parent.
    fn b3_merge(
        mode: u32,
        key: *const u8,
        key_length: usize,
        left: *const u8,
        right: *const u8,
        out: *mut u8
    ) secret mode != 0, {
        let mode = keyed(mode, key, key_length)?;
        let (left, right) = (value(left)?, value(right)?);
        let out = place(out, OUT_LEN)?;
        out.write(&tree::parent(mode, &[*left, *right]));
        Ok(())
    }

    /// Writes output of a whole tree.
    fn b3_root(
        mode: u32,
        key: *const u8,
        key_length: usize,
        left: *const u8,
        right: *const u8,
        position: u64,
        out: *mut u8,
        out_length: usize
    ) secret mode != 0, {
        let mode = keyed(mode, key, key_length)?;
        let (left, right) = (value(left)?, value(right)?);
        let out = place(out, out_length)?;
        tree::check_output(position, out_length as u64)?;
        out.fill(tree::root(mode, &[*left, *right]), position);
        Ok(())
    }
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
        check(pointer, size)?;
        if size == 0 {
            return Ok(());
        }
        let layout = layout(size).ok_or(Error::Range)?;
        if !pointer.addr().is_multiple_of(layout.align()) {
            return Err(Error::Range);
        }
        // SAFETY: the caller vouches that `alloc(size)` returned it.
        unsafe { HEAP.dealloc(pointer, layout) };
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
