//! What is dangerous: one file for each kind of harm, and each a few rules over calls that were read.
//!
//! A rule sees a program and what it is given, never the text around it, so what is only said (`echo
//! mkfs`) is no danger and a path, a wrapper or quotes hide none. Rules note what they find and decide
//! nothing: [`super::judge`] does.

mod bomb;
mod delete;
mod files;
mod git;
mod kill;
mod listen;
mod own;
mod permission;
mod program;
mod remote;
mod script;
mod service;
mod sql;
mod windows;

use super::call::Call;
use super::findings::Findings;
use super::shell::{Ends, Group, Pipeline, Script};

pub(super) use files::written;
pub(super) use listen::listener;
pub(super) use own::read;
pub(super) use remote::{inner, said};
pub(super) use script::{is_shell, shell_command};

/// Notes what is dangerous about one call.
pub(super) fn call(call: &Call<'_>, ends: Ends, found: &mut Findings) {
    let program = call.program();
    let rules = [
        delete::call,
        files::call,
        git::call,
        kill::call,
        permission::call,
        program::call,
        remote::call,
        script::call,
        service::call,
        sql::call,
        windows::call,
    ];
    for rule in rules {
        rule(call, &program, found);
    }
    own::call(call, &program, ends, found);
}

/// Notes what is dangerous about a pipeline, and answers with the texts it feeds to a shell.
pub(super) fn pipeline(line: &Pipeline, found: &mut Findings) -> Vec<String> {
    sql::pipeline(line, found);
    remote::pipeline(line, found)
}

/// Notes what is dangerous about commands that follow one another.
pub(super) fn sequence(script: &Script, found: &mut Findings) {
    permission::sequence(script, found);
}

/// Notes what is dangerous about a group.
pub(super) fn group(group: &Group, found: &mut Findings) {
    bomb::group(group, found);
}

/// Programs that show or look for what they are given, and do nothing with it.
fn only_talks(program: &str) -> bool {
    matches!(
        program,
        "echo"
            | "printf"
            | "grep"
            | "egrep"
            | "fgrep"
            | "rg"
            | "ag"
            | "ack"
            | "man"
            | "which"
            | "type"
            | "whereis"
            | "info"
            | "apropos"
            | "help"
            | "for"
            | ":"
            | "true"
    )
}
