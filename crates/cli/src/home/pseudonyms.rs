//! The key of the pseudonyms: 32 random bytes in hexadecimal, made once.
//!
//! With another key everybody has another pseudonym, so a key that cannot be read is an error and is
//! never replaced by itself. Nobody but `Pseudonyms` sees it, and that prints as `***`.

use std::io;
use std::path::PathBuf;

use angelia_core::context::redact::{KEY_BYTES, Pseudonyms};

use super::{Home, Sync, read_secret, replace_file, secret_digits};
use crate::errors::Failure;

impl Home {
    fn pseudonym_key_path(&self) -> PathBuf {
        self.path().join("pseudonym-key")
    }

    /// The pseudonyms of this install, with a key that is made if there is none. Only the holder of the
    /// lock may call this.
    pub(crate) fn pseudonyms(&self) -> Result<Pseudonyms, Failure> {
        let digits = match read_secret(&self.pseudonym_key_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.make_pseudonym_key(),
            read => read,
        };
        let digits =
            digits.map_err(|error| self.no_pseudonyms(&format!("cannot be used: {error}")))?;
        let key = decode(digits.trim());
        let wrong = format!("is not {} hexadecimal digits", KEY_BYTES * 2);
        let key = key.ok_or_else(|| self.no_pseudonyms(&wrong))?;
        Ok(Pseudonyms::new(key))
    }

    fn make_pseudonym_key(&self) -> io::Result<String> {
        let digits = secret_digits()?;
        let path = self.pseudonym_key_path();
        replace_file(&path, &format!("{digits}\n"), Sync::ToDisk)?;
        Ok(digits)
    }

    fn no_pseudonyms(&self, why: &str) -> Failure {
        let path = self.pseudonym_key_path();
        Failure::new(format!(
            "the key of the pseudonyms {} {why}",
            path.display()
        ))
        .hint(
            "restore the file from a backup, or remove it: `angelia serve` makes a new one, and \
             everybody gets another pseudonym",
        )
    }
}

fn decode(digits: &str) -> Option<[u8; KEY_BYTES]> {
    if digits.len() != KEY_BYTES * 2 {
        return None;
    }
    let mut key = [0; KEY_BYTES];
    for (byte, pair) in key.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        let digit = |at: usize| char::from(pair[at]).to_digit(16);
        *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
    }
    Some(key)
}
