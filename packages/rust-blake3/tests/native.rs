//! The native static library, from C.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// target/<profile>/deps, where cargo puts the libraries beside the tests.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_path_buf()
}

#[test]
fn c_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = libraries().join("librust_blake3.a");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abi");
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    let compiled = Command::new(&compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
        .args([root.join("include"), root.join("tests/abi.c"), library])
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .status();
    assert!(compiled.expect(&compiler).success());
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"ok\n");
}

/// The shared library for purego and others that load at run time.
#[test]
#[cfg(target_os = "linux")]
fn shared_library_exports_the_abi() {
    let library = std::fs::read(libraries().join("librust_blake3.so")).unwrap();
    let holds = |name: &str| {
        let name = format!("\0{name}\0");
        library
            .windows(name.len())
            .any(|window| window == name.as_bytes())
    };
    for name in [
        "alloc",
        "dealloc",
        "hash",
        "b3_hash",
        "b3_state_update",
        "b3_root",
    ] {
        assert!(holds(name), "{name}");
    }
}
