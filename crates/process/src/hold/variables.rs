//! The variables of a command on their way to its holder: a length, and then `name=value` with a zero
//! byte after each.
//!
//! The length comes first so that half a message is known to be half: a command must not run with
//! some of its variables because a gateway was killed while it wrote.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use super::child::Variables;

/// More than any system gives to a program.
const BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Writes variables down.
pub(crate) fn encode<'a>(variables: impl Iterator<Item = (&'a OsStr, &'a OsStr)>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in variables {
        body.extend_from_slice(name.as_bytes());
        body.push(b'=');
        body.extend_from_slice(value.as_bytes());
        body.push(0);
    }
    let mut message = (body.len() as u64).to_le_bytes().to_vec();
    message.append(&mut body);
    message
}

/// Reads variables.
pub(super) fn read(mut from: impl Read) -> io::Result<Variables> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > BYTES_MAX {
        return Err(io::Error::other(
            "the variables are too long for any program",
        ));
    }
    let mut body = Vec::new();
    from.take(length).read_to_end(&mut body)?;
    if body.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(split(&body))
}

fn split(body: &[u8]) -> Variables {
    let lines = body.split(|byte| *byte == 0);
    let pairs = lines.filter_map(|line| {
        let equals = line.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (line[..equals].to_vec(), line[equals + 1..].to_vec());
        Some((OsString::from_vec(name), OsString::from_vec(value)))
    });
    pairs.collect::<BTreeMap<_, _>>()
}

#[cfg(test)]
#[path = "variables_tests.rs"]
mod tests;
