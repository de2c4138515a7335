//! What the `[stickers]` table means: what says what stickers show, if anything does.

use angelia_agents::model::provider::Url;
use angelia_core::length;
use angelia_core::limits;
use angelia_core::time::Span;

use super::keys;
use super::problem::{Place, Problem};
use super::resolve::Layers;
use super::secret::Source;
use super::transcription;

/// What says what stickers show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stickers {
    /// By what.
    pub(crate) by: By,
    /// How long it may take.
    pub(crate) time: Span,
}

/// Who looks at a sticker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum By {
    /// The model of `[agent]`, if it can see.
    Agent,
    /// A command.
    Command(Vec<String>),
    /// A server: where it is, its model, and where its key is.
    Server(Url, String, Option<Source>),
}

impl Layers<'_> {
    /// Who looks at stickers; nothing inside if nobody shall. What is wrong is noted.
    pub(super) fn stickers(&mut self) -> Option<Option<Stickers>> {
        let before = self.raw.problems.len();
        let wish = self.pick(&keys::STICKERS_DESCRIBE, wish);
        let command = self.written(&keys::STICKERS_COMMAND, transcription::command);
        let url = self.written(&keys::STICKERS_URL, super::agent::address);
        let model = self.written(&keys::STICKERS_MODEL, |text| Ok(text.to_owned()));
        self.written(&keys::STICKERS_KEY, |_| Ok(()));
        let path = keys::STICKERS_KEY.path;
        let key = self.raw.secrets.get(path).cloned();
        self.keep_from_commands(path, key.as_ref());
        let time = self.pick(&keys::STICKERS_TIMEOUT, time);
        if let Some(written) = self.wrote(&keys::STICKERS_URL) {
            let place = Place::Line(written.line);
            let says = match (&command, &model) {
                (Some(_), _) => {
                    Some("`stickers.command` and `stickers.base_url` are two ways; leave one out")
                }
                (None, None) => {
                    Some("`stickers.base_url` needs `stickers.model`: a model that can see")
                }
                (None, Some(_)) => None,
            };
            let problem = says.map(|says| Problem {
                place,
                says: says.to_owned(),
            });
            self.raw.problems.extend(problem);
        }
        if self.raw.problems.len() > before {
            return None;
        }
        let by = match (command, url, model) {
            (Some(words), _, _) => By::Command(words),
            (None, Some(url), Some(model)) => By::Server(url, model, key),
            (None, _, _) => By::Agent,
        };
        let time = time?;
        Some((wish? == Wish::Look).then_some(Stickers { by, time }))
    }
}

/// Whether anybody shall look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Look,
    No,
}

fn wish(text: &str) -> Result<Wish, String> {
    match text {
        "true" => Ok(Wish::Look),
        "false" => Ok(Wish::No),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

fn time(text: &str) -> Result<Span, String> {
    let fits = |length: &Span| (Span::seconds(1)..=limits::STICKER_TIME_MAX).contains(length);
    length::read(text).filter(fits).ok_or_else(|| {
        format!("must be a length of time from \"1s\" to \"1m\" such as \"20s\"; found \"{text}\"")
    })
}

#[cfg(test)]
#[path = "stickers_tests.rs"]
mod tests;
