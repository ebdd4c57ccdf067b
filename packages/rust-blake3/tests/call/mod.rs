//! The ABI, called as any other language would, with results as values.
#![allow(dead_code)] // each test file uses a part

use rust_blake3::abi;

pub type Code = i32;

fn result<T>(code: Code, value: T) -> Result<T, Code> {
    if code == 0 { Ok(value) } else { Err(code) }
}

pub fn hash(input: &[u8]) -> [u8; 32] {
    let mut out = [0; 32];
    let code = unsafe { abi::hash(input.as_ptr(), input.len(), out.as_mut_ptr()) };
    result(code, out).unwrap()
}

pub struct Mode {
    pub number: u32,
    pub key: Vec<u8>,
}

impl Mode {
    pub fn hash() -> Mode {
        Mode {
            number: 0,
            key: vec![],
        }
    }

    pub fn keyed(key: [u8; 32]) -> Mode {
        Mode {
            number: 1,
            key: key.to_vec(),
        }
    }

    pub fn derive_key(context: &str) -> Mode {
        let mut key = vec![0; 32];
        let code =
            unsafe { abi::b3_context_key(context.as_ptr(), context.len(), key.as_mut_ptr()) };
        result(code, Mode { number: 2, key }).unwrap()
    }

    pub fn one_shot(&self, input: &[u8], length: usize) -> Vec<u8> {
        let mut out = vec![0; length];
        let code = unsafe {
            abi::b3_hash(
                self.number,
                self.key.as_ptr(),
                self.key.len(),
                input.as_ptr(),
                input.len(),
                out.as_mut_ptr(),
                length,
            )
        };
        result(code, out).unwrap()
    }

    pub fn subtree(&self, offset: u64, input: &[u8]) -> Result<[u8; 32], Code> {
        let mut out = [0; 32];
        let code = unsafe {
            abi::b3_subtree(
                self.number,
                self.key.as_ptr(),
                self.key.len(),
                offset,
                input.as_ptr(),
                input.len(),
                out.as_mut_ptr(),
            )
        };
        result(code, out)
    }

    pub fn halves(&self, offset: u64, input: &[u8]) -> [u8; 64] {
        let (left, right) = input.split_at(input.len() / 2);
        let values = [
            self.subtree(offset, left).unwrap(),
            self.subtree(offset + left.len() as u64, right).unwrap(),
        ];
        values.as_flattened().try_into().unwrap()
    }

    pub fn merge(&self, left: [u8; 32], right: [u8; 32]) -> [u8; 32] {
        let mut out = [0; 32];
        let code = unsafe {
            abi::b3_merge(
                self.number,
                self.key.as_ptr(),
                self.key.len(),
                left.as_ptr(),
                right.as_ptr(),
                out.as_mut_ptr(),
            )
        };
        result(code, out).unwrap()
    }

    pub fn root(
        &self,
        left: [u8; 32],
        right: [u8; 32],
        position: u64,
        length: usize,
    ) -> Result<Vec<u8>, Code> {
        let mut out = vec![0; length];
        let code = unsafe {
            abi::b3_root(
                self.number,
                self.key.as_ptr(),
                self.key.len(),
                left.as_ptr(),
                right.as_ptr(),
                position,
                out.as_mut_ptr(),
                length,
            )
        };
        result(code, out)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State(pub [u8; 2800]);

impl State {
    pub fn try_new(mode: &Mode) -> Result<State, Code> {
        let mut state = State([0xee; 2800]);
        let at = state.0.as_mut_ptr();
        let code =
            unsafe { abi::b3_state_init(at, mode.number, mode.key.as_ptr(), mode.key.len()) };
        result(code, state)
    }

    pub fn new(mode: &Mode) -> State {
        State::try_new(mode).unwrap()
    }

    pub fn check(&self) -> Result<(), Code> {
        result(unsafe { abi::b3_state_check(self.0.as_ptr()) }, ())
    }

    pub fn update(&mut self, input: &[u8]) -> Result<(), Code> {
        let at = self.0.as_mut_ptr();
        result(
            unsafe { abi::b3_state_update(at, input.as_ptr(), input.len()) },
            (),
        )
    }

    pub fn append(&mut self, halves: [u8; 64], length: u64) -> Result<(), Code> {
        let at = self.0.as_mut_ptr();
        result(
            unsafe { abi::b3_state_append(at, halves.as_ptr(), length) },
            (),
        )
    }

    pub fn try_output(&self, position: u64, length: usize) -> Result<Vec<u8>, Code> {
        let mut out = vec![0; length];
        let code =
            unsafe { abi::b3_state_output(self.0.as_ptr(), position, out.as_mut_ptr(), length) };
        result(code, out)
    }

    pub fn output(&self, position: u64, length: usize) -> Vec<u8> {
        self.try_output(position, length).unwrap()
    }
}
