//! A word that must not be seen: where it is written, and how it is read when the gateway starts.
//!
//! ```text
//! "literal" | { env = "NAME" } | { file = "path" } | { command = ["…"] }  ─raw─▶ Source ─reveal─▶ the word
//! ```
//!
//! Nothing here shows the word: neither what is printed of a source, nor a failure to read one. It is read once;
//! a word that changes holds after the next start.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use angelia_core::time::Span;
use angelia_process::command::Command;
use angelia_process::foreground::{self, Status};
use toml::de::{DeTable, DeValue};

use super::environment;

/// What is shown of a word that stands in the file itself.
const HIDDEN: &str = "\"…\"";

/// Bytes of a word. No key is near it.
const WORD_BYTES_MAX: u64 = 16 * 1024;

/// How long a command may take to tell a word.
const COMMAND_TIME: Span = Span::seconds(30);

/// Where a word is.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// In the configuration itself.
    Literal(String),
    /// In this variable of the gateway.
    Variable(String),
    /// In this file.
    File(PathBuf),
    /// It is what this program and its arguments print.
    Command(Vec<String>),
}

impl fmt::Debug for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.shown())
    }
}

impl Source {
    /// The source that a value of the file names, if it is of the right shape.
    pub(super) fn of(value: &DeValue<'_>) -> Option<Self> {
        match value {
            DeValue::String(word) => Some(Self::Literal(word.to_string())),
            DeValue::Table(table) => Self::of_table(table),
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_) => None,
        }
    }

    fn of_table(table: &DeTable<'_>) -> Option<Self> {
        let mut entries = table.iter();
        let (Some((name, value)), None) = (entries.next(), entries.next()) else {
            return None;
        };
        let (name, value): (&str, _) = (name.get_ref(), value.get_ref());
        match (name, value) {
            ("env", DeValue::String(text)) => Some(Self::Variable(text.to_string())),
            ("file", DeValue::String(text)) => Some(Self::File(PathBuf::from(text.to_string()))),
            ("command", DeValue::Array(list)) => {
                let words = list
                    .iter()
                    .map(|one| Some(one.get_ref().as_str()?.to_owned()));
                let words: Vec<String> = words.collect::<Option<_>>()?;
                (!words.is_empty()).then_some(Self::Command(words))
            }
            _ => None,
        }
    }

    /// As it would be written, without the word.
    pub(super) fn shown(&self) -> String {
        let entry = |name: &str, value: toml::Value| format!("{{ {name} = {value} }}");
        match self {
            Self::Literal(_) => HIDDEN.to_owned(),
            Self::Variable(name) => entry("env", name.as_str().into()),
            Self::File(path) => entry("file", path.display().to_string().into()),
            Self::Command(words) => entry("command", words.clone().into()),
        }
    }

    /// The word. Files are looked for beside the configuration.
    ///
    /// # Errors
    /// Why there is none, in words that fit behind the key's name.
    pub(crate) async fn reveal(&self, folder: &Path) -> Result<String, String> {
        let word = match self {
            Self::Literal(word) => word.clone(),
            Self::Variable(name) => environment::variable(name)
                .ok_or_else(|| format!("is the variable `{name}`, which is not set"))?,
            Self::File(path) => of_file(&folder.join(path))?,
            Self::Command(words) => of_command(words).await?,
        };
        let word = word.trim();
        if word.is_empty() {
            return Err(format!("is empty (`{}`)", self.shown()));
        }
        Ok(word.to_owned())
    }
}

fn of_file(path: &Path) -> Result<String, String> {
    let mut word = String::new();
    let read =
        File::open(path).and_then(|file| file.take(WORD_BYTES_MAX).read_to_string(&mut word));
    let failed = |error| format!("is in {}, which cannot be read: {error}", path.display());
    read.map_err(failed)?;
    Ok(word)
}

/// What the program complains about may hold the word, so it goes nowhere.
async fn of_command(words: &[String]) -> Result<String, String> {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let command = Command {
        time: COMMAND_TIME,
        ..Command::new(format!("exec {} 2>/dev/null", quoted.join(" ")))
    };
    let program = words.first().map_or("", String::as_str);
    let failed =
        |why: &str| format!("is what `{program}` prints, but {why}; run it by hand to see");
    match foreground::run(&command).await {
        Err(error) => Err(failed(&format!("it did not start: {error}"))),
        Ok(finished) if finished.status == Status::Exited(0) => Ok(finished.output),
        Ok(_) => Err(failed("it failed, or took too long")),
    }
}

/// One word of the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
#[path = "secret_tests.rs"]
mod tests;
