//! The access token: 32 random bytes in hexadecimal, made once.

use std::fs::{self, File, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;

use angelia_api::token::Token;

use super::{Home, Sync, replace_file};
use crate::errors::Failure;

/// Where randomness comes from that is fit for secrets.
const RANDOM: &str = "/dev/urandom";

/// Shorter ones could be guessed.
const LETTERS_MIN: usize = 32;

impl Home {
    fn token_path(&self) -> PathBuf {
        self.path().join("api-token")
    }

    /// The token, made if there is none. Only the holder of the lock may call this.
    pub(crate) fn token_or_new(&self) -> Result<Token, Failure> {
        match self.read_token() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = self.make_token();
                made.map_err(|error| self.token_failure(&error))
            }
            read => self.judge(read),
        }
    }

    /// The token that the gateway of this home made.
    pub(crate) fn token(&self) -> Result<Token, Failure> {
        self.judge(self.read_token())
    }

    fn read_token(&self) -> io::Result<String> {
        let path = self.token_path();
        if fs::metadata(&path)?.mode() & 0o077 != 0 {
            fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        }
        fs::read_to_string(&path)
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
        let mut bytes = [0; 32];
        File::open(RANDOM)?.read_exact(&mut bytes)?;
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
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
