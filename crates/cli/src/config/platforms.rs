//! What the `[platforms.NAME]` tables mean: where people write.
//!
//! The platforms of the house need no table, and may have an empty one. Every other account has a name that the
//! operator chose; two accounts of one platform are two tables. Secrets are read when the gateway starts.

use angelia_core::address::{AccountId, Platform};
use angelia_core::display::Layer;
use angelia_platforms::telegram::Url;
use serde_json::{Map, Value};

use super::keys::{self, Kind, PLATFORMS};
use super::problem::{Place, Problem};
use super::raw;
use super::resolve::Layers;
use super::secret::Source;

/// Characters of an account's name; it stands in rows and lists.
const NAME_CHARS_MAX: usize = 32;

/// One account that is not of the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Account {
    /// Its name.
    pub(crate) name: AccountId,
    /// What opens it.
    pub(crate) token: Source,
    /// Where its server is.
    pub(crate) api_url: Url,
    /// Where the platform shall push to.
    pub(crate) webhook_url: Option<Url>,
    /// What people see there.
    pub(crate) display: Layer,
}

/// What may be said about what people see.
const DISPLAY: [&keys::Key; 7] = [
    &keys::STREAMING,
    &keys::REPLY_TO_MODE,
    &keys::TOOL_PROGRESS,
    &keys::CLEANUP_PROGRESS,
    &keys::SHOW_REASONING,
    &keys::RUNTIME_FOOTER,
    &keys::VOICE_REPLIES,
];

impl Layers<'_> {
    /// All accounts besides those of the house, by their names. What is wrong is noted.
    pub(super) fn accounts(&mut self) -> Vec<Account> {
        let names: Vec<String> = self.raw.accounts.keys().cloned().collect();
        names.iter().filter_map(|name| self.account(name)).collect()
    }

    fn account(&mut self, name: &str) -> Option<Account> {
        if is_house(name) {
            self.keep_bare(name);
        }
        let platform = self.platform(name)?;
        if Platform::HOUSE.contains(&platform) {
            return None;
        }
        let path = |key: &keys::Key| raw::dotted(&["platforms", name, key.name()]);
        let token = self.secret(&path(&keys::TOKEN), &keys::TOKEN);
        if token.is_none() && !self.raw.written.contains_key(&path(&keys::TOKEN)) {
            let example = format!("{}_BOT_TOKEN", platform.name().to_uppercase());
            let says = format!(
                "`platforms.{name}` needs a `token`, such as token = {{ env = \"{example}\" }}"
            );
            self.wrong_account(name, says);
        }
        let api_url = self.pick_at(&path(&keys::API_URL), &keys::API_URL, address);
        let webhook_url = self.pick_at(&path(&keys::WEBHOOK_URL), &keys::WEBHOOK_URL, address);
        let display = self.display(name);
        Some(Account {
            display,
            name: AccountId(name.to_owned()),
            token: token?,
            api_url: api_url?,
            webhook_url,
        })
    }

    /// What people see of turns on an account.
    fn display(&mut self, name: &str) -> Layer {
        let mut said = Map::new();
        for key in DISPLAY {
            let path = raw::dotted(&["platforms", name, key.name()]);
            if let Some(word) = self.pick_at(&path, key, |text| shown(key, text)) {
                said.insert(key.name().to_owned(), word);
            }
        }
        Layer::read(&said).0
    }

    /// The platform of an account: as it is written, or else as the account is called.
    fn platform(&mut self, name: &str) -> Option<Platform> {
        let written = raw::dotted(&["platforms", name, "platform"]);
        let written = self.raw.written.get(&written).cloned();
        let said = written.as_ref().map_or(name, |written| &written.text);
        let known = PLATFORMS.contains(&said);
        let says = match (&written, known) {
            (Some(_), true) if said != name && (is_house(said) || is_house(name)) => format!(
                "`platforms.{name}.platform` must be \"{name}\" or absent; found \"{said}\""
            ),
            (_, true) if is_name(name) => return said.parse().ok(),
            (_, true) => format!(
                "`platforms.{name}` is no name of an account: write up to {NAME_CHARS_MAX} letters, digits, `-` and `_`"
            ),
            (Some(_), false) => format!(
                "`platforms.{name}.platform` must be one of {}; found \"{said}\"{}",
                PLATFORMS.join(", "),
                raw::suggestion(said, PLATFORMS)
            ),
            (None, false) => format!(
                "`platforms.{name}` must say its `platform`: one of {}{}",
                PLATFORMS.join(", "),
                raw::suggestion(said, PLATFORMS)
            ),
        };
        let table = self.raw.accounts.get(name).copied().unwrap_or(1);
        let line = written.map_or(table, |written| written.line);
        let place = Place::Line(line);
        self.raw.problems.push(Problem { place, says });
        None
    }

    /// The platforms of the house have nothing to set.
    fn keep_bare(&mut self, name: &str) {
        let keys = [&keys::TOKEN, &keys::API_URL, &keys::WEBHOOK_URL];
        let keys = keys.into_iter().chain(DISPLAY);
        let paths = keys.map(|key| raw::dotted(&["platforms", name, key.name()]));
        for path in paths {
            if let Some(written) = self.raw.written.get(&path) {
                let says = format!("`{path}` is for accounts of other platforms; remove it");
                let place = Place::Line(written.line);
                self.raw.problems.push(Problem { place, says });
            }
        }
    }

    fn wrong_account(&mut self, name: &str, says: String) {
        let line = self.raw.accounts.get(name).copied().unwrap_or(1);
        let place = Place::Line(line);
        self.raw.problems.push(Problem { place, says });
    }
}

fn is_house(name: &str) -> bool {
    Platform::HOUSE.map(Platform::name).contains(&name)
}

fn is_name(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    (1..=NAME_CHARS_MAX).contains(&name.len()) && name.chars().all(fits)
}

/// A word about what people see, if it means anything.
fn shown(key: &keys::Key, text: &str) -> Result<Value, String> {
    let word = Value::from(text);
    let alone = Map::from_iter([(key.name().to_owned(), word.clone())]);
    let known = if let Kind::Choice(known) = key.kind {
        known
    } else {
        &["true", "false"]
    };
    if Layer::read(&alone).1.is_empty() && known.contains(&text) {
        return Ok(word);
    }
    Err(format!(
        "must be one of {}; found \"{text}\"{}",
        known.join(", "),
        raw::suggestion(text, known.iter().copied())
    ))
}

/// An address may hold a password, so it is not repeated.
fn address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let is_bare = |url: &Url| url.query().is_none() && url.password().is_none();
    url.filter(is_bare)
        .ok_or_else(|| "must be an address such as \"https://api.telegram.org\"".to_owned())
}

#[cfg(test)]
#[path = "platforms_tests.rs"]
mod tests;
