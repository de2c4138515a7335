//! What exactly somebody said yes to, as a hash.
//!
//! A grant names one command in one directory on one machine. The parts are hashed with their lengths, so
//! that no two cases share a fingerprint by where one part ends and the next begins.

use sha2::{Digest, Sha256};

/// Set before the parts, so that a later way of counting cannot be mistaken for this one.
const VERSION: &[u8] = b"angelia command 1";

/// The fingerprint of a command, where it would run and on what.
pub fn fingerprint(command: &str, workdir: &str, backend: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [
        VERSION,
        command.as_bytes(),
        workdir.as_bytes(),
        backend.as_bytes(),
    ] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;
