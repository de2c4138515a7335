//! The scripts that run in a target, for any POSIX shell; the files `sh/*.sh` say what they do.
//!
//! A script is one group in braces: a shell reads all of it before it does any of it, so half a script
//! does nothing, and what comes after it on the same input is the script's own.
//!
//! Variables of the command travel in the script and never stand in a file of the target.

use angelia_core::time::Span;

use super::words::{is_variable, printed, quoted};
use crate::spec::{Input, Leftovers};

const COMMON: &str = include_str!("sh/common.sh");
const RUN: &str = include_str!("sh/run.sh");
const ATTACH: &str = include_str!("sh/attach.sh");
const END: &str = include_str!("sh/end.sh");
const FOREGROUND: &str = include_str!("sh/foreground.sh");

/// The words after the name of the file `run`, in the order in which it is given them.
const RUN_WORDS: &str = "verb=$1 id=$2 command=$3 input=$4 leftovers=$5 grace=$6 mask=$7";

/// What a pipe takes in whole or not at all, on every system.
pub(crate) const FEED_BYTES: usize = 512;

/// A command for a target.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// What it is known by inside. Nobody else can guess it.
    pub(crate) id: String,
    /// The words, as `sh` reads them.
    pub(crate) command: String,
    /// Where it runs; where the target puts us if nothing is said.
    pub(crate) workdir: Option<String>,
    /// Whether it has an input.
    pub(crate) input: Input,
    /// What becomes of those whom it leaves behind.
    pub(crate) leftovers: Leftovers,
    /// How long those who were asked to end may tidy up.
    pub(crate) grace: Span,
    /// Variables that it sees beside those of the target.
    pub(crate) variables: Vec<(String, String)>,
}

impl Job {
    /// Why no shell could run it, if so.
    pub(crate) fn flaw(&self) -> Option<&'static str> {
        let texts = [Some(&self.command), self.workdir.as_ref()];
        let has_zero = texts.into_iter().flatten().any(|text| text.contains('\0'));
        has_zero
            .then_some("the command or its directory holds a zero byte, which no shell can take")
    }

    /// Starts it, or finds it, and follows what it says from the byte `offset` on.
    pub(crate) fn attach(&self, offset: u64) -> String {
        let body = format!("{}offset={offset}\n{ATTACH}", self.head());
        script(&self.id, &body)
    }

    /// Runs it to its end on this line.
    pub(crate) fn foreground(&self) -> String {
        script(&self.id, &format!("{}{FOREGROUND}", self.head()))
    }

    /// The command's variables first, so that none of them takes the place of one of ours.
    fn head(&self) -> String {
        let exports = self.variables.iter().filter(|(name, _)| is_variable(name));
        let exports = exports.map(|(name, value)| format!("export {name}={}\n", quoted(value)));
        let ours = self.settings();
        let ours = ours
            .iter()
            .map(|(name, value)| format!("{name}={}\n", quoted(value)));
        exports.chain(ours).collect()
    }

    fn settings(&self) -> [(&'static str, String); 6] {
        let input = match self.input {
            // A patient input is closed from our side.
            Input::Open | Input::Patient => "open",
            Input::Closed => "closed",
        };
        let leftovers = match self.leftovers {
            Leftovers::Ended => "ended",
            Leftovers::Kept => "kept",
        };
        [
            ("command", self.command.clone()),
            ("workdir", self.workdir.clone().unwrap_or_default()),
            ("input", input.to_owned()),
            ("leftovers", leftovers.to_owned()),
            ("grace", tenths(self.grace).to_string()),
            ("run", format!("{RUN_WORDS}\n{COMMON}{RUN}")),
        ]
    }
}

/// What becomes of the folder of a command that was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remains {
    /// Somebody follows the command, and reads its end there.
    Kept,
    /// Nobody does.
    Removed,
}

/// Ends the command `id` and everybody it started, after `grace`.
pub(crate) fn end(id: &str, grace: Span, remains: Remains) -> String {
    let remains = match remains {
        Remains::Kept => "kept",
        Remains::Removed => "removed",
    };
    script(
        id,
        &format!("grace={}\nremains={remains}\n{END}", tenths(grace)),
    )
}

/// Lets the script go on: a new command begins, a known one is followed.
pub(crate) const GO: &[u8] = b"go\n";

/// Lets the input end.
pub(crate) const CLOSE: &[u8] = b"close\n";

/// Removes what is left of a command that ended.
pub(crate) const FORGET: &[u8] = b"forget\n";

/// Gives the command `bytes`, at most `FEED_BYTES`, after which `fed` bytes of input have arrived.
pub(crate) fn feed(bytes: &[u8], fed: u64) -> String {
    format!("feed {fed} {}\n", printed(bytes))
}

/// Signals the command and its group.
pub(crate) fn signal(name: &str) -> String {
    format!("signal {name}\n")
}

fn script(id: &str, body: &str) -> String {
    format!("{{\nid={}\n{COMMON}{body}}}\n", quoted(id))
}

/// Tenths of a second, rounded up.
fn tenths(span: Span) -> i64 {
    (span.as_ms().max(0) + 99) / 100
}
