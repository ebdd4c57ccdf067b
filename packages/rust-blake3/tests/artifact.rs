//! The built artifact, `dist/blake3.wasm`, and the header, against each other. Nx builds the artifact before this.

use std::collections::BTreeMap;
use std::fs;

use sha2::{Digest, Sha256};
use wasmparser::{ExternalKind, Operator, Parser, Payload, TypeRef, ValType};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn artifact() -> Vec<u8> {
    let path = format!("{ROOT}/dist/blake3.wasm");
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}; run: nx rust-wasm rust-blake3"))
}

fn header() -> String {
    fs::read_to_string(format!("{ROOT}/include/blake3_polyglot.h")).unwrap()
}

/// A function's parameters and results.
type Signature = (Vec<ValType>, Vec<ValType>);

/// What the header declares, as WebAssembly sees it: pointers and size_t are 32 bits.
fn declared() -> BTreeMap<String, Signature> {
    let value = |declaration: &str| match declaration {
        text if text.contains('*') || text.contains("32_t") || text.contains("size_t") => {
            Some(ValType::I32)
        }
        text if text.contains("uint64_t") => Some(ValType::I64),
        "void" => None,
        other => panic!("the header uses a type that this test doesn't know: {other}"),
    };
    let mut code = String::new();
    for (i, part) in header().split("/*").enumerate() {
        code += match i {
            0 => part,
            _ => part.split_once("*/").unwrap().1,
        };
    }
    let lines = code.lines().filter(|line| !line.starts_with('#'));
    let code = lines.collect::<Vec<_>>().join(" ");
    let code = code.replace("extern \"C\" {", "");
    let functions = code.split(';').filter_map(|declaration| {
        let (left, right) = declaration.split_once('(')?;
        let (result, name) = left.trim().rsplit_once([' ', '*']).unwrap();
        let result = if left.contains('*') { "*" } else { result };
        let parameters = right.trim().trim_end_matches(')').split(',');
        let parameters = parameters.filter_map(|text| value(text.trim()));
        let signature = (parameters.collect(), value(result).into_iter().collect());
        Some((name.to_string(), signature))
    });
    functions.collect()
}

#[derive(Default)]
struct Module {
    functions: BTreeMap<String, Signature>,
    other_exports: Vec<(String, ExternalKind)>,
    imports: usize,
    initial_pages: u64,
    maximum_pages: Option<u64>,
    vector_operators: usize,
}

fn read(wasm: &[u8]) -> Module {
    let mut module = Module::default();
    let (mut types, mut functions) = (vec![], vec![]);
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.unwrap() {
            Payload::TypeSection(section) => {
                types.extend(section.into_iter_err_on_gc_types().map(Result::unwrap));
            }
            Payload::ImportSection(section) => {
                let imports = section.into_imports().map(Result::unwrap);
                module.imports += imports
                    .inspect(|i| assert!(!matches!(i.ty, TypeRef::Func(_))))
                    .count();
            }
            Payload::FunctionSection(section) => {
                functions.extend(section.into_iter().map(Result::unwrap));
            }
            Payload::MemorySection(section) => {
                let memory = section.into_iter().next().unwrap().unwrap();
                module.initial_pages = memory.initial;
                module.maximum_pages = memory.maximum;
            }
            Payload::ExportSection(section) => {
                for export in section.into_iter().map(Result::unwrap) {
                    let name = export.name.to_string();
                    if export.kind == ExternalKind::Func {
                        let ty: &wasmparser::FuncType =
                            &types[functions[export.index as usize] as usize];
                        let signature = (ty.params().to_vec(), ty.results().to_vec());
                        module.functions.insert(name, signature);
                    } else {
                        module.other_exports.push((name, export.kind));
                    }
                }
            }
            Payload::CodeSectionEntry(body) => {
                for operator in body.get_operators_reader().unwrap() {
                    module.vector_operators += usize::from(matches!(
                        operator.unwrap(),
                        Operator::I32x4Add | Operator::V128Xor | Operator::V128Load { .. }
                    ));
                }
            }
            _ => {}
        }
    }
    module
}

#[test]
fn exports_are_what_the_header_declares() {
    let module = read(&artifact());
    assert_eq!(module.functions, declared());
    assert_eq!(module.functions.len(), 16);
    assert_eq!(
        module.other_exports,
        [("memory".to_string(), ExternalKind::Memory)]
    );
    assert_eq!(module.imports, 0);
}

#[test]
fn is_small_and_bounded_and_uses_vectors() {
    let wasm = artifact();
    let module = read(&wasm);
    assert!(wasm.len() <= 18 * 1024, "{} bytes", wasm.len());
    assert_eq!(module.initial_pages, 2);
    assert_eq!(module.maximum_pages, Some(1024));
    assert!(
        module.vector_operators > 500,
        "{} vector instructions",
        module.vector_operators
    );
}

/// Of a source file on the machine that built it, as messages of panics would hold.
#[test]
fn holds_no_path() {
    let wasm = artifact();
    let text: String = wasm.iter().map(|&byte| char::from(byte)).collect();
    assert!(text.contains("b3_abi_version"), "the check below sees text");
    assert!(!text.contains(".rs"), "a message of a panic");
    for start in [
        "/home", "/root", "/Users", ":\\", "/.cargo", "/rustc/", "registry",
    ] {
        assert!(!text.contains(start), "{start}");
    }
}

#[test]
fn build_json_describes_it() {
    let wasm = artifact();
    let json = fs::read_to_string(format!("{ROOT}/dist/build.json")).unwrap();
    let build: serde_json::Value = serde_json::from_str(&json).unwrap();
    let sha256: String = Sha256::digest(&wasm)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(build["sha256"], sha256);
    assert_eq!(build["size"], wasm.len());
    assert_eq!(build["artifact"], "blake3.wasm");
    assert_eq!(build["crate"], "blake3 1.8.7");
    for text in ["rustc", "flags", "features", "wasmOpt"] {
        assert!(!build[text].is_null(), "{text}");
    }
}

/// Numbers that the header and the crate both give.
#[test]
fn constants_agree() {
    let header = header();
    for line in [
        "#define B3_ABI_VERSION 1\n",
        "#define B3_STATE_SIZE 2800\n",
        "#define B3_ERROR_LENGTH 7 ",
    ] {
        assert!(header.contains(line), "{line}");
    }
    assert_eq!(rust_blake3::abi::b3_abi_version(), 1);
    assert_eq!(size_of::<rust_blake3::state::State>(), 2800);
    assert_eq!(rust_blake3::abi::Error::Length as i32, 7);
}
