//! The token of a bot: it opens everything the bot has, and it stands in every address that is called.
//!
//! So it is never printed, and whatever others say is cleaned of it before it goes anywhere.

use std::fmt;

/// A token.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Reads a token: the bot's number, a colon, and the secret.
    ///
    /// # Errors
    /// What it should look like, without repeating it.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let fits = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '-');
        let is_one = text.split_once(':').is_some_and(|(number, secret)| {
            !number.is_empty()
                && number.chars().all(|one| one.is_ascii_digit())
                && secret.len() >= 20
                && secret.chars().all(fits)
        });
        is_one
            .then(|| Self(text.to_owned()))
            .ok_or("is no token of a bot; @BotFather tells it, and it looks like 123456:ABC…")
    }

    /// The token, for whoever must say it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The words without the token, should they hold it.
    pub(super) fn clean(&self, words: &str) -> String {
        let secret = self
            .0
            .split_once(':')
            .map_or(self.0.as_str(), |(_, rest)| rest);
        words.replace(&self.0, "…").replace(secret, "…")
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Token(…)")
    }
}
