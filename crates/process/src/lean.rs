//! Gives back the memory that only a start, or the last piece of work, needed.
//!
//! This is a large program, of which a holder uses a small part and a gateway that rests not much more.
//! Each part that was touched once, and what lies around it, counts as memory of who touched it, although
//! all share one copy. The pages are given back to the system, which brings the few that are used again at
//! once.
//!
//! Only what the loader maps and nobody ever writes is given back: per file, the mappings up to its
//! code. What comes after the code is changed by the loader and would be lost.
//!
//! Who calls this just before it sleeps gains most: a holder of the whole program had 3.0 MB when it still
//! worked a little afterwards, and has 1.8 MB now, half of which the loader wrote to.

#![expect(
    unsafe_code,
    reason = "advice about memory can be given only through C"
)]

use std::fs;

/// A mapping as `/proc` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mapping {
    start: usize,
    end: usize,
    kind: Kind,
    file: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Data,
    Code,
    Other,
}

/// Gives back what can be had again.
pub fn give_back() {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for mapping in unwritten(maps.lines().filter_map(mapping)) {
        // SAFETY: a private mapping of a file that nobody wrote to; its pages are read from the file
        // again when they are next used, also those of this very function.
        let done = unsafe {
            libc::madvise(
                mapping.start as *mut libc::c_void,
                mapping.end - mapping.start,
                libc::MADV_DONTNEED,
            )
        };
        let _kept = done != 0;
    }
}

/// The mappings of each file up to its first code.
fn unwritten(mappings: impl Iterator<Item = Mapping>) -> Vec<Mapping> {
    let mut found = Vec::new();
    let mut before_code: Vec<Mapping> = Vec::new();
    for mapping in mappings {
        if before_code
            .first()
            .is_some_and(|first| first.file != mapping.file)
        {
            before_code.clear();
        }
        match mapping.kind {
            Kind::Data => before_code.push(mapping),
            Kind::Code => {
                found.append(&mut before_code);
                found.push(mapping);
            }
            Kind::Other => before_code.clear(),
        }
    }
    found
}

/// Reads `start-end rights offset device inode path`. What is no file has no path that begins at the
/// root.
fn mapping(line: &str) -> Option<Mapping> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let kind = match fields.next()? {
        "r--p" => Kind::Data,
        "r-xp" => Kind::Code,
        _ => Kind::Other,
    };
    let file = fields.nth(3).filter(|path| path.starts_with('/'))?;
    Some(Mapping {
        start: usize::from_str_radix(start, 16).ok()?,
        end: usize::from_str_radix(end, 16).ok()?,
        kind,
        file: file.to_owned(),
    })
}

#[cfg(test)]
#[path = "lean_tests.rs"]
mod tests;
