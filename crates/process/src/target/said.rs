//! What a script in a target says about its command: lines on its errors with a word of ours before
//! them. Everything else there comes from the program on the way, such as `ssh`, and says why it failed.

use angelia_core::limits;

/// What stands before our own lines.
const OURS: &str = "angelia ";

/// The longest line. What is longer is not ours and is cut.
const LINE_BYTES_MAX: usize = 4096;

/// One line of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// It could be started now; nothing was.
    New,
    /// It was started before.
    Known,
    /// It was started, and nobody there knows how it ended.
    Lost,
    /// It could not be started, for this reason.
    Failed(String),
    /// A foreground command was started.
    Started,
    /// It was started and is followed. So much of its input has arrived.
    Runs(u64),
    /// So much of its input has arrived.
    Fed(u64),
    /// It ended.
    Ended(Ended),
    /// Nobody of it is left.
    Gone,
    /// Somebody of it could not be ended.
    Left,
}

/// How a command in a target ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its code, as a shell tells it.
    pub(crate) code: i32,
    /// The signal that ended it; 0 if none did.
    pub(crate) signal: i32,
    /// How many bytes it said.
    pub(crate) bytes: u64,
}

fn read(line: &str) -> Option<Said> {
    let line = line.strip_prefix(OURS)?;
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let said = match (word, rest) {
        ("ready", "new") => Said::New,
        ("ready", "runs") => Said::Known,
        ("ready", "lost") | ("lost", _) => Said::Lost,
        ("failed", why) => Said::Failed(why.to_owned()),
        ("started", _) => Said::Started,
        ("runs", fed) => Said::Runs(fed.parse().ok()?),
        ("fed", fed) => Said::Fed(fed.parse().ok()?),
        ("ended", how) => Said::Ended(ended(how)?),
        ("gone", _) => Said::Gone,
        ("left", _) => Said::Left,
        _ => return None,
    };
    Some(said)
}

fn ended(how: &str) -> Option<Ended> {
    let mut fields = how.split(' ');
    Some(Ended {
        code: fields.next()?.parse().ok()?,
        signal: fields.next()?.parse().ok()?,
        bytes: fields.next()?.parse().ok()?,
    })
}

/// Makes lines of what arrives, and keeps some of what is not ours.
#[derive(Debug, Default)]
pub(crate) struct Ear {
    partial: Vec<u8>,
    complaints: String,
}

impl Ear {
    /// Takes more bytes; returns our lines in them.
    pub(crate) fn hear(&mut self, bytes: &[u8]) -> Vec<Said> {
        let mut heard = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' => heard.extend(self.line()),
                _ if self.partial.len() < LINE_BYTES_MAX => self.partial.push(*byte),
                _ => (),
            }
        }
        heard
    }

    fn line(&mut self) -> Option<Said> {
        let line = std::mem::take(&mut self.partial);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches('\r');
        let said = read(line);
        if said.is_none() && self.complaints.len() + line.len() < limits::TARGET_COMPLAINT_BYTES_MAX
        {
            self.complaints.push_str(line);
            self.complaints.push('\n');
        }
        said
    }

    /// What the program on the way complained about; empty if it did not.
    pub(crate) fn complaints(&mut self) -> String {
        self.hear(b"\n");
        self.complaints.trim().to_owned()
    }
}

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;
