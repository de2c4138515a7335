//! What the `[transcription]` table means: what writes down what people say, if anything does.

use angelia_agents::model::provider::Url;
use angelia_agents::transcription::FILE;
use angelia_core::length;
use angelia_core::limits;
use angelia_core::time::Span;

use super::keys;
use super::mcp;
use super::problem::{Place, Problem};
use super::resolve::Layers;
use super::secret::Source;

/// What writes down what people say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transcription {
    /// By what.
    pub(crate) by: By,
    /// How long it may take.
    pub(crate) time: Span,
}

/// By what it is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum By {
    /// A command.
    Command(Vec<String>),
    /// A server: where it is, its model, and where its key is.
    Server(Url, String, Option<Source>),
}

impl Layers<'_> {
    /// What writes down what people say; nothing inside if nothing does. What is wrong is noted.
    pub(super) fn transcription(&mut self) -> Option<Option<Transcription>> {
        let before = self.raw.problems.len();
        let command = self.written(&keys::TRANSCRIPTION_COMMAND, command);
        let url = self.written(&keys::TRANSCRIPTION_URL, super::agent::address);
        let model = self.pick(&keys::TRANSCRIPTION_MODEL, |text| Ok(text.to_owned()));
        self.written(&keys::TRANSCRIPTION_KEY, |_| Ok(()));
        let path = keys::TRANSCRIPTION_KEY.path;
        let key = self.raw.secrets.get(path).cloned();
        self.keep_from_commands(path, key.as_ref());
        let time = self.pick(&keys::TRANSCRIPTION_TIMEOUT, time);
        if let (Some(_), Some(written)) = (&command, self.wrote(&keys::TRANSCRIPTION_URL)) {
            let place = Place::Line(written.line);
            let says =
                "`transcription.command` and `transcription.base_url` are two ways; leave one out"
                    .to_owned();
            self.raw.problems.push(Problem { place, says });
        }
        if self.raw.problems.len() > before {
            return None;
        }
        let (model, time) = (model?, time?);
        let by = match (command, url) {
            (Some(words), _) => By::Command(words),
            (None, Some(url)) => By::Server(url, model, key),
            (None, None) => return Some(None),
        };
        Some(Some(Transcription { by, time }))
    }
}

/// A program and its arguments, with a place for the file.
pub(super) fn command(text: &str) -> Result<Vec<String>, String> {
    let words = mcp::texts(text)?;
    match words.iter().any(|word| word.contains(FILE)) {
        true => Ok(words),
        false => Err(format!(
            "must have `{FILE}` where the path of the file belongs"
        )),
    }
}

fn time(text: &str) -> Result<Span, String> {
    let fits = |length: &Span| (Span::seconds(1)..=limits::TRANSCRIPTION_TIME_MAX).contains(length);
    length::read(text).filter(fits).ok_or_else(|| {
        format!("must be a length of time from \"1s\" to \"5m\" such as \"60s\"; found \"{text}\"")
    })
}
