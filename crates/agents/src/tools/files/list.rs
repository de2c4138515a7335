//! Shows what is in a directory.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use angelia_core::limits;
use rustix::fs::{FileType, OFlags};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::path::Inner;
use super::walk::{End, Found, Walk};
use super::workspace::Workspace;

/// Shows what is in a directory, so many levels deep.
pub(super) fn shown(
    workspace: &Workspace,
    path: &Inner,
    depth: usize,
    stop: &CancellationToken,
) -> Result<Value, String> {
    let directory = workspace.open(path, OFlags::RDONLY | OFlags::DIRECTORY)?;
    let (mut output, mut entries) = (String::new(), 0);
    let end = Walk::new(depth, stop, |found| {
        if entries == limits::FILES_LISTED_MAX || output.len() > limits::TOOL_OUTPUT_CHARS_MAX {
            return ControlFlow::Break(());
        }
        entries += 1;
        let _infallible = writeln!(output, "{}", line(&found));
        ControlFlow::Continue(())
    })
    .go(&directory);
    let mut result = json!({
        "path": path.shown(),
        "workspace": workspace.root().display().to_string(),
        "output": output,
        "entries": entries,
    });
    if end != End::All {
        result["note"] = "there is more; list a directory below, or look with search_files".into();
    }
    Ok(result)
}

fn line(found: &Found<'_>) -> String {
    let path = found.path.display();
    match found.kind {
        FileType::Directory => format!("{path}/"),
        FileType::RegularFile => format!("{path}  {}", found.bytes),
        FileType::Symlink => format!("{path}  (link)"),
        FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => format!("{path}  (no file)"),
    }
}
