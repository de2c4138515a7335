//! Shows lines of a file, or a picture.
//!
//! A file is read whole and masked whole before lines are cut out of it: a key that begins before the first
//! line shown is hidden all the same.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use angelia_core::media::Kind;
use rustix::fs::{FileType, OFlags, fstat};
use serde_json::json;

use super::path::Inner;
use super::workspace::{Workspace, told};
use crate::tools::source::{Brought, Fetched};

/// How much of a file is looked at to tell whether it is a text.
const LOOKED_AT_BYTES: usize = 8 * 1024;

/// Which lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools) struct Lines {
    /// The first, from 1.
    pub(super) offset: usize,
    /// How many at most.
    pub(super) limit: usize,
}

/// Shows lines of a file.
pub(super) fn shown(
    workspace: &Workspace,
    path: &Inner,
    lines: Lines,
    masker: &Masker,
) -> Result<Fetched, String> {
    let bytes = bytes(workspace, path)?;
    if Kind::of(&bytes).is_some() {
        return Ok(picture(path, bytes));
    }
    let text = text(path, &bytes)?;
    let masked = masker.shown(&text, Surface::File);
    let total = masked.lines().count();
    if lines.offset > total.max(1) {
        let (shown, first) = (path.shown(), lines.offset);
        return Err(format!(
            "`{shown}` has {total} lines, so none from {first} on"
        ));
    }
    let (output, last) = numbered(&masked, lines);
    let mut result = json!({
        "path": path.shown(),
        "output": output,
        "total_lines": total,
        "bytes": bytes.len(),
    });
    if last < total {
        result["next_offset"] = (last + 1).into();
    }
    if matches!(text, std::borrow::Cow::Owned(_)) {
        result["note"] = "some bytes of the file are no UTF-8 and are shown as \u{fffd}".into();
    }
    Ok(result.into())
}

/// A file that is a picture. Whether it can be shown is seen by whoever keeps it.
fn picture(path: &Inner, bytes: Vec<u8>) -> Fetched {
    let told = json!({ "path": path.shown(), "bytes": bytes.len() });
    let name = Some(path.shown().to_string());
    Fetched {
        told,
        pictures: vec![Brought { bytes, name }],
    }
}

/// The lines behind their numbers, as many as may be told at once, and the number of the last.
fn numbered(text: &str, lines: Lines) -> (String, usize) {
    let mut output = String::new();
    let mut last = lines.offset - 1;
    let chosen = text.lines().enumerate();
    for (place, line) in chosen.skip(lines.offset - 1).take(lines.limit) {
        let shown = cut(line);
        let room = limits::TOOL_OUTPUT_CHARS_MAX.saturating_sub(output.len());
        if shown.len() + 16 > room && last >= lines.offset {
            break;
        }
        last = place + 1;
        let _infallible = writeln!(output, "{last}\t{shown}");
    }
    (output, last)
}

/// A line as far as it is shown.
pub(super) fn cut(line: &str) -> String {
    match line.char_indices().nth(limits::FILE_LINE_CHARS) {
        None => line.to_owned(),
        Some((end, _)) => format!("{} [… line cut]", &line[..end]),
    }
}

/// All of a file.
pub(super) fn bytes(workspace: &Workspace, path: &Inner) -> Result<Vec<u8>, String> {
    // What is no file, such as a pipe, must not keep anybody waiting until it is known to be none.
    let opened = workspace.open(path, OFlags::RDONLY | OFlags::NONBLOCK)?;
    let about = fstat(&opened).map_err(|error| told(path, error))?;
    let shown = path.shown();
    match FileType::from_raw_mode(about.st_mode) {
        FileType::RegularFile => (),
        FileType::Directory => {
            return Err(format!(
                "`{shown}` is a directory; `list_files` shows what is in it"
            ));
        }
        FileType::Symlink
        | FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => return Err(format!("`{shown}` is neither a file nor a directory")),
    }
    let most = limits::FILE_BYTES_MAX;
    let mut bytes = Vec::new();
    let mut file = File::from(opened).take(most as u64 + 1);
    let read = file.read_to_end(&mut bytes);
    read.map_err(|error| format!("`{shown}` could not be read: {error}"))?;
    match bytes.len() > most {
        true => Err(format!(
            "`{shown}` has {} bytes, and a file is read up to {most}; look for parts of it with search_files",
            about.st_size
        )),
        false => Ok(bytes),
    }
}

/// A file's bytes as a text, unless they are none.
pub(super) fn text<'a>(path: &Inner, bytes: &'a [u8]) -> Result<std::borrow::Cow<'a, str>, String> {
    match is_binary(bytes) {
        true => {
            let (shown, length) = (path.shown(), bytes.len());
            Err(format!(
                "`{shown}` is no text but binary data, {length} bytes"
            ))
        }
        false => Ok(String::from_utf8_lossy(bytes)),
    }
}

/// Whether bytes are no text: texts have no zero in them.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(LOOKED_AT_BYTES).any(|byte| *byte == 0)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
