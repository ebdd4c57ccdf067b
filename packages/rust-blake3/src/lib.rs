//! BLAKE3 behind a C ABI: one crate for WebAssembly, cgo, purego and Rust.
//!
//! - [`abi`]: the exported functions, declared in `include/blake3_polyglot.h`
//! - [`state`]: the incremental state and its byte layout
//! - [`tree`]: what a build's kernel does, and the checks that it relies on
//! - `kernel`: for wasm32, `kernel/`; else, or with feature `crate-kernel`, `crate_kernel.rs`, over [`blake3::hazmat`]
//!
//! `unsafe` is in [`abi`] and in `kernel/simd.rs`.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![deny(unsafe_code, missing_docs)]

#[cfg(all(
    target_arch = "wasm32",
    feature = "simd",
    not(target_feature = "simd128")
))]
compile_error!(
    "build for wasm32 with -C target-feature=+simd128, as .cargo/config.toml does (RUSTFLAGS replaces it)"
);

#[allow(unsafe_code)]
pub mod abi;
// The two have the same names, and every build has one.
#[cfg_attr(
    not(all(
        target_arch = "wasm32",
        feature = "simd",
        not(feature = "crate-kernel")
    )),
    path = "crate_kernel.rs"
)]
mod kernel;
pub mod state;
pub mod tree;

/// What is there by construction. Where it is not, the instance traps and its host discards it; a panic would do the same, with 1 KB
/// of code to format its message.
#[inline(always)]
fn sure<T>(value: Option<T>) -> T {
    #[cfg(target_arch = "wasm32")]
    return match value {
        Some(value) => value,
        None => core::arch::wasm32::unreachable(),
    };
    #[cfg(not(target_arch = "wasm32"))]
    value.unwrap()
}

/// No call of the ABI panics; if one did, the instance would trap and its host discard it.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
