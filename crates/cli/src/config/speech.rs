//! What the `[speech]` table means: what speaks answers, if anything does.

use angelia_agents::model::provider::Url;
use angelia_core::length;
use angelia_core::limits;
use angelia_core::time::Span;

use super::keys;
use super::mcp;
use super::problem::{Place, Problem};
use super::resolve::Layers;
use super::secret::Source;

/// What speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Speech {
    /// By what.
    pub(crate) by: By,
    /// How long it may take.
    pub(crate) time: Span,
}

/// By what answers are spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum By {
    /// A command.
    Command(Vec<String>),
    /// A server: where it is, its model and voice, and where its key is.
    Server(Url, (String, String), Option<Source>),
}

impl Layers<'_> {
    /// What speaks answers; nothing inside if nothing does. What is wrong is noted.
    pub(super) fn speech(&mut self) -> Option<Option<Speech>> {
        let before = self.raw.problems.len();
        let command = self.written(&keys::SPEECH_COMMAND, mcp::texts);
        let url = self.written(&keys::SPEECH_URL, super::agent::address);
        let model = self.pick(&keys::SPEECH_MODEL, |text| Ok(text.to_owned()));
        let voice = self.pick(&keys::SPEECH_VOICE, |text| Ok(text.to_owned()));
        self.written(&keys::SPEECH_KEY, |_| Ok(()));
        let path = keys::SPEECH_KEY.path;
        let key = self.raw.secrets.get(path).cloned();
        self.keep_from_commands(path, key.as_ref());
        let time = self.pick(&keys::SPEECH_TIMEOUT, time);
        if let (Some(_), Some(written)) = (&command, self.wrote(&keys::SPEECH_URL)) {
            let place = Place::Line(written.line);
            let says =
                "`speech.command` and `speech.base_url` are two ways; leave one out".to_owned();
            self.raw.problems.push(Problem { place, says });
        }
        if self.raw.problems.len() > before {
            return None;
        }
        let (model, voice, time) = (model?, voice?, time?);
        let by = match (command, url) {
            (Some(words), _) => By::Command(words),
            (None, Some(url)) => By::Server(url, (model, voice), key),
            (None, None) => return Some(None),
        };
        Some(Some(Speech { by, time }))
    }
}

fn time(text: &str) -> Result<Span, String> {
    let fits = |length: &Span| (Span::seconds(1)..=limits::SPEECH_TIME_MAX).contains(length);
    length::read(text).filter(fits).ok_or_else(|| {
        format!("must be a length of time from \"1s\" to \"5m\" such as \"30s\"; found \"{text}\"")
    })
}
