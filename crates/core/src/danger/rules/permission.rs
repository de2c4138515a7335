//! Permissions and owners, and files that are made executable to be run at once.

use std::collections::BTreeSet;

use super::remote::simple_calls;
use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::shell::Script;

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    match program {
        "chmod" if modes(call).any(opens_to_all) => found.ask(Category::WorldWritable),
        "chown" if gives_tree_to_root(call) => found.ask(Category::ChownRoot),
        _ => (),
    }
}

/// Notes a `chmod +x` whose file, or any in the working directory, is run behind it.
pub(super) fn sequence(script: &Script, found: &mut Findings) {
    let mut opened = BTreeSet::new();
    for call in script.pipelines.iter().flat_map(simple_calls) {
        if call.program() == "chmod" && modes(&call).any(makes_executable) {
            opened.extend(call.operands().into_iter().skip(1));
        }
        let run = call.words.first().map_or("", |word| &word.text);
        let near = run.starts_with("./") && !opened.is_empty();
        if near || opened.contains(run) {
            return found.ask(Category::FreshScript);
        }
    }
}

/// The words that may be the mode.
fn modes<'a>(call: &Call<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    call.operands().into_iter().take(1)
}

fn opens_to_all(mode: &str) -> bool {
    let octal = mode.len() >= 3 && mode.chars().all(|char| char.is_digit(8));
    if octal {
        return mode.ends_with(['2', '3', '6', '7']);
    }
    mode.split(',')
        .any(|clause| grants(clause, 'w', &['o', 'a']))
}

fn makes_executable(mode: &str) -> bool {
    mode.split(',').any(|clause| {
        clause.starts_with('+') && clause.contains('x') || grants(clause, 'x', &['u', 'a'])
    })
}

/// Whether one clause of a mode gives this permission to one of those.
fn grants(clause: &str, permission: char, whom: &[char]) -> bool {
    let Some(at) = clause.find(['+', '=']) else {
        return false;
    };
    let (who, what) = clause.split_at(at);
    who.contains(whom) && what.contains(permission)
}

fn gives_tree_to_root(call: &Call<'_>) -> bool {
    let tree = call.has_short("rR") || call.has_long("--r", "--recursive");
    let owner = call
        .operands()
        .first()
        .map(|text| text.to_lowercase())
        .unwrap_or_default();
    tree && matches!(owner.split([':', '.']).next(), Some("root" | "0"))
}
