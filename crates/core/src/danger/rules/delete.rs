//! Deleting: `rm` wherever it stands, and `find -delete`.

use super::only_talks;
use crate::danger::call::{Call, Via};
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::path::Loss;
use crate::danger::reason::Reason;
use crate::danger::wrapper;

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    match program {
        "rm" | "grm" => removes(call, found),
        "find" | "gfind" if call.texts().any(|text| text == "-delete") => {
            found.ask(Category::FindDelete)
        }
        _ if is_unknown(program) => perhaps_removes(call, found),
        _ if only_talks(program) || wrapper::is_known(program) => (),
        _ => carried(call, found),
    }
}

/// Whether nobody can say which program it is: a variable or the output of another command.
fn is_unknown(program: &str) -> bool {
    program.is_empty() || program.starts_with('$')
}

/// A program without a name that gets `-r` and what nobody may delete is taken for `rm`.
fn perhaps_removes(call: &Call<'_>, found: &mut Findings) {
    let losses = losses(call, found);
    let grave = |loss| matches!(loss, Loss::Root | Loss::System | Loss::Home);
    if call.has_short("rR") && losses.into_iter().any(grave) {
        removes(call, found);
    }
}

fn removes(call: &Call<'_>, found: &mut Findings) {
    match call.via {
        Via::Shell | Via::Elsewhere => (),
        Via::Xargs => found.ask(Category::XargsDelete),
        Via::Find => found.ask(Category::FindDelete),
    }
    if call.has_short("rR") || call.has_long("--r", "--recursive") {
        found.ask(Category::RecursiveDelete);
    }
    for loss in losses(call, found) {
        match loss {
            Loss::Root => found.refuse(Reason::RootDelete),
            Loss::System => found.refuse(Reason::SystemDelete),
            Loss::Home => found.refuse(Reason::HomeDelete),
            Loss::Absolute => found.ask(Category::DeleteInRoot),
            Loss::Near => (),
        }
    }
}

fn losses(call: &Call<'_>, found: &Findings) -> Vec<Loss> {
    let operands = call.operands().into_iter();
    let paths = operands.flat_map(|operand| found.paths(operand));
    paths.map(|path| path.loss()).collect()
}

/// `rm` among the arguments of a program that may run it, or has a command of that name: `git rm -r x`.
/// What it deletes is not on this machine or not for good, so it is asked.
fn carried(call: &Call<'_>, found: &mut Findings) {
    let Some(at) = call.words.iter().position(|word| word.text == "rm") else {
        return;
    };
    let mut there = found.elsewhere();
    removes(
        &Call {
            words: &call.words[at..],
            via: Via::Shell,
            ..*call
        },
        &mut there,
    );
    found.adopt(there);
}
