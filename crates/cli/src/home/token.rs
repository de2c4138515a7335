//! The access token: 32 random bytes in hexadecimal, made once.

use std::io;
use std::path::PathBuf;

use angelia_api::token::Token;

use super::{Home, Sync, read_secret, replace_file, secret_digits};
use crate::errors::Failure;

/// Shorter ones could be guessed.
const LETTERS_MIN: usize = 32;

impl Home {
    fn token_path(&self) -> PathBuf {
        self.path().join("api-token")
    }

    /// The token, made if there is none. Only the holder of the lock may call this.
    pub(crate) fn token_or_new(&self) -> Result<Token, Failure> {
        match read_secret(&self.token_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = self.make_token();
                made.map_err(|error| self.token_failure(&error))
            }
            read => self.judge(read),
        }
    }

    /// The token that the gateway of this home made.
    pub(crate) fn token(&self) -> Result<Token, Failure> {
        self.judge(read_secret(&self.token_path()))
    }

    fn judge(&self, read: io::Result<String>) -> Result<Token, Failure> {
        let text = read.map_err(|error| self.token_failure(&error))?;
        if text.trim().len() >= LETTERS_MIN {
            return Ok(Token::new(&text));
        }
        let path = self.token_path();
        let what = format!(
            "the access token in {} is shorter than {LETTERS_MIN} letters",
            path.display()
        );
        Err(Failure::new(what).hint("remove the file; `angelia serve` makes a new one"))
    }

    fn make_token(&self) -> io::Result<Token> {
        let digits = secret_digits()?;
        replace_file(&self.token_path(), &format!("{digits}\n"), Sync::ToDisk)?;
        Ok(Token::new(&digits))
    }

    fn token_failure(&self, error: &io::Error) -> Failure {
        let path = self.token_path();
        Failure::new(format!(
            "the access token {} cannot be used: {error}",
            path.display()
        ))
        .hint("check the rights of the home, or remove the file; `angelia serve` makes a new one")
    }
}
