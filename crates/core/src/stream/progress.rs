//! Lines about tools that are at work, in a message beside the reply.
//!
//! Each tool that begins adds a line, as talkative as the place wants it ([`Mode`]); the same line again
//! only counts up. The whole is a text that grows, shown by a [`Draft`](super::Draft) of its own at a
//! slower pace. Secrets are hidden before words come here: a line shows what it is given.

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::Formatter;

/// How much is told about tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Nothing.
    Off,
    /// A line when another tool begins than the one before.
    New,
    /// A line for every call.
    All,
    /// A line for every call, with its arguments.
    Verbose,
    /// Nothing in the chat: the log has it.
    Log,
}

impl Mode {
    /// The word for it in settings and in chat.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::New => "new",
            Self::All => "all",
            Self::Verbose => "verbose",
            Self::Log => "log",
        }
    }
}

/// A call of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Call<'c> {
    /// The tool's name.
    pub tool: &'c str,
    /// What it is about, in a few words.
    pub about: &'c str,
    /// Its arguments.
    pub arguments: &'c Value,
}

/// How much of what a call is about is shown, if the place does not say.
pub const ABOUT_CHARS: usize = 40;

const DOTS: &str = "...";

/// What stands before a line.
const ICON: &str = "⚙️ ";

/// The lines of one reply.
#[derive(Clone, Debug)]
pub struct Progress {
    mode: Mode,
    /// Zero for the usual length.
    about_chars: usize,
    last_tool: String,
    lines: Vec<(String, u32)>,
}

impl Progress {
    /// No lines yet.
    #[must_use]
    pub fn new(mode: Mode, about_chars: usize) -> Self {
        Self {
            mode,
            about_chars,
            last_tool: String::new(),
            lines: Vec::new(),
        }
    }

    /// A tool begins.
    pub fn begin(&mut self, call: &Call<'_>) {
        let again = self.last_tool == call.tool;
        call.tool.clone_into(&mut self.last_tool);
        let told = match self.mode {
            Mode::Off | Mode::Log => false,
            Mode::New => !again,
            Mode::All | Mode::Verbose => true,
        };
        if !told {
            return;
        }
        let line = line(call, self.mode, self.about_chars);
        match self.lines.last_mut() {
            Some((last, count)) if *last == line => *count = count.saturating_add(1),
            _ => self.lines.push((line, 1)),
        }
    }

    /// The lines so far.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(|(line, count)| match count {
            1 => format!("{ICON}{line}"),
            count => format!("{ICON}{line} (×{count})"),
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The line about a call, without its icon.
#[must_use]
pub fn line(call: &Call<'_>, mode: Mode, about_chars: usize) -> String {
    let Call { tool, about, .. } = call;
    match (mode, call.arguments.as_object()) {
        (Mode::Verbose, Some(arguments)) => {
            let names: Vec<&str> = arguments.keys().map(String::as_str).collect();
            let shown = match about_chars {
                0 => spaced(call.arguments),
                max => cut(&spaced(call.arguments), max),
            };
            format!("{tool}({})\n{shown}", names.join(", "))
        }
        _ if about.is_empty() => format!("{tool}{DOTS}"),
        _ => {
            let max = if about_chars == 0 {
                ABOUT_CHARS
            } else {
                about_chars
            };
            format!("{tool}: \"{}\"", cut(about, max))
        }
    }
}

/// The beginning of a text, on as many lines as it has, in at most so many characters.
fn cut(text: &str, max: usize) -> String {
    if text.chars().nth(max).is_none() {
        return text.to_owned();
    }
    let kept: String = text.chars().take(max.saturating_sub(DOTS.len())).collect();
    format!("{kept}{DOTS}")
}

/// JSON on one line, with blanks for the eye.
fn spaced(value: &Value) -> String {
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    let written = value.serialize(&mut writer);
    let text = String::from_utf8(bytes).unwrap_or_default();
    written.map_or_else(|_| value.to_string(), |()| text)
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W>(&mut self, writer: &mut W, first: bool) -> std::io::Result<()>
    where
        W: ?Sized + std::io::Write,
    {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W>(&mut self, writer: &mut W, first: bool) -> std::io::Result<()>
    where
        W: ?Sized + std::io::Write,
    {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W>(&mut self, writer: &mut W) -> std::io::Result<()>
    where
        W: ?Sized + std::io::Write,
    {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
