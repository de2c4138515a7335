//! Commands that should not just run: what is asked about first, and what is never run.
//!
//! ```text
//! command ──plain──▶ text ──shell──▶ scripts, calls, words ──rules──▶ findings ──▶ Verdict
//!                    Case (who asks, where, rules, grants) ──gate──▶ run, ask, or refuse
//!                    /approve, /deny ──reply──▶ an answer
//! ```
//!
//! A judgement is advice, not a boundary: a script file, a compiled program or another language can do
//! anything, and only isolation keeps it from that. So the rules look at what a shell would run, not at
//! the letters of the text, and are kept simple enough to be right about that.
//!
//! Nothing here runs, asks, waits or remembers. Rows keep requests and grants; a grant is for one
//! [`fingerprint`], never for a category.

mod call;
mod category;
mod findings;
mod fingerprint;
pub mod gate;
mod listener;
mod path;
mod payload;
mod places;
mod plain;
mod reason;
pub mod refusal;
pub mod reply;
mod rule;
mod rules;
mod shell;
mod size;
mod started;
mod walk;
mod wrapper;

pub use category::Category;
pub use fingerprint::fingerprint;
pub use gate::{Case, Gate, gate};
pub use listener::{Listener, listener};
pub use reason::Reason;
pub(crate) use started::started;

use findings::Findings;

/// What is thought of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing was found.
    Harmless,
    /// A person should agree first, to all of this.
    Ask(Vec<Category>),
    /// It is never run.
    Refused(Reason),
}

/// Judges a command by what a shell would run, wherever that is.
pub fn judge(command: &str) -> Verdict {
    let found = examine(command, "");
    match found.reason() {
        Some(reason) => Verdict::Refused(reason),
        None if found.is_harmless() => Verdict::Harmless,
        None => Verdict::Ask(found.into_categories()),
    }
}

/// Finds everything that there is to say about a command in a directory; none is one that nobody knows.
fn examine(command: &str, workdir: &str) -> Findings {
    let mut found = Findings::beginning_in(workdir);
    if size::is_too_large(command) {
        found.refuse(Reason::TooLarge);
    } else {
        walk::text(command, 0, &mut found);
        disguised(command, workdir, &mut found);
    }
    found
}

/// Reads a command once more without disguise. A shell reads it as it is written, so this only adds: a
/// letter that looks like a quote must neither hide what stands behind it nor make it malformed.
fn disguised(command: &str, workdir: &str, found: &mut Findings) {
    let plain = plain::plain(command);
    if plain != command {
        let mut seen = Findings::beginning_in(workdir);
        walk::text(&plain, 0, &mut seen);
        found.join(seen);
    }
}

#[cfg(test)]
#[path = "danger_tests.rs"]
mod tests;
