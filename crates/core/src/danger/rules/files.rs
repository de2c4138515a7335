//! Writing: disks, files of the system, credentials, our own files, a project's environment.

use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::path::{Path, Written};
use crate::danger::reason::Reason;

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    match program {
        "tee" => call.operands().iter().for_each(|file| written(file, found)),
        "cp" | "install" => copied(call, found),
        "mv" => moved(call, found),
        "sed" | "gsed" if edits_in_place(call) => changed(call, found),
        "perl" | "ruby" if call.has_short("i") => changed(call, found),
        "dd" => copies_disk(call, found),
        "wipefs" | "blkdiscard" | "shred" | "mkswap" | "sgdisk" | "sfdisk" | "truncate" => {
            wiped(call, found)
        }
        "mke2fs" => found.refuse(Reason::Format),
        name if name == "mkfs" || name.starts_with("mkfs.") || name.starts_with("mkfs_") => {
            found.refuse(Reason::Format);
        }
        _ => (),
    }
}

/// Notes that a file is written over or added to.
pub(in crate::danger) fn written(file: &str, found: &mut Findings) {
    for path in found.paths(file) {
        note(path.written(), found);
    }
}

fn note(written: Option<Written>, found: &mut Findings) {
    match written {
        Some(Written::Disk) => found.refuse(Reason::RawDevice),
        Some(Written::Kernel) => found.ask(Category::KernelControl),
        Some(Written::Own) => found.ask(Category::OwnFile),
        Some(Written::Sensitive) => found.ask(Category::SensitiveFile),
        Some(Written::System) => found.ask(Category::SystemConfig),
        Some(Written::Project) => found.ask(Category::ProjectFile),
        None => (),
    }
}

/// Where a copy goes: the value of `-t`, else the last operand.
fn copied(call: &Call<'_>, found: &mut Findings) {
    let mut texts = call.texts();
    let named = texts.find_map(|text| text.strip_prefix("--target-directory="));
    let behind = call
        .texts()
        .skip_while(|text| !matches!(*text, "-t" | "--target-directory"))
        .nth(1);
    let operands = call.operands();
    let last = operands.get(1..).and_then(<[&str]>::last).copied();
    if let Some(file) = named.or(behind).or(last) {
        written(file, found);
    }
}

/// What is moved away is gone from where it was.
fn moved(call: &Call<'_>, found: &mut Findings) {
    copied(call, found);
    changed(call, found);
}

fn edits_in_place(call: &Call<'_>) -> bool {
    let short = |text: &str| !text.starts_with("--") && text.contains('i');
    call.options().any(short) || call.has_long("--i", "--in-place")
}

/// Notes all files but a project's own: to edit those in place is an agent's daily work.
fn changed(call: &Call<'_>, found: &mut Findings) {
    let operands = call.operands().into_iter();
    let paths: Vec<Path> = operands.flat_map(|file| found.paths(file)).collect();
    for path in paths {
        let written = path.written();
        note(
            written.filter(|written| *written != Written::Project),
            found,
        );
    }
}

fn copies_disk(call: &Call<'_>, found: &mut Findings) {
    for text in call.texts() {
        if text.to_lowercase().starts_with("if=") {
            found.ask(Category::DiskCopy);
        }
        if let Some(file) = text
            .strip_prefix("of=")
            .or_else(|| text.strip_prefix("OF="))
        {
            written(file, found);
        }
    }
}

/// Tools that destroy what a disk holds. Without these options the first only looks.
fn wiped(call: &Call<'_>, found: &mut Findings) {
    let looks =
        call.program() == "wipefs" && !call.has_short("ao") && !call.has_long("--a", "--all");
    let looks = looks && !call.has_long("--o", "--offset");
    for file in call.operands().into_iter().filter(|_| !looks) {
        let paths = found.paths(file);
        if paths
            .iter()
            .any(|path| path.written() == Some(Written::Disk))
        {
            found.refuse(Reason::RawDevice);
        }
    }
}
