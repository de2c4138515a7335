//! What a home is known by to others that share its database: random digits in a file, made once.
//!
//! Processes, agents and locks belong to one home. Its path does not tell it from others, for two machines may have
//! homes of the same path; so each has a name that nobody else can have. It stays when the folder is moved. A copy
//! that shall live beside its original must not have it: whoever starts under a name says that all earlier boots
//! under it are dead.

use std::path::PathBuf;
use std::{fs, io};

use super::{Home, Sync, read_secret, replace_file, secret_digits};
use crate::errors::Failure;

/// As many digits as the name has.
const DIGITS: usize = 32;

impl Home {
    fn identity_path(&self) -> PathBuf {
        self.path().join("node-id")
    }

    /// What this home is known by, made if it has no name yet. Only the holder of the lock may call this.
    pub(crate) fn identity(&self) -> Result<String, Failure> {
        let read = match read_secret(&self.identity_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.make_identity(),
            read => read,
        };
        let read = read.map_err(|error| self.nameless(&format!("cannot be used: {error}")))?;
        let digits = read.trim();
        if digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Ok(digits.to_owned());
        }
        Err(self.nameless(&format!("is not {DIGITS} hexadecimal digits")))
    }

    /// What this home is known by, if it has a name already.
    pub(crate) fn known_as(&self) -> Option<String> {
        let read = fs::read_to_string(self.identity_path()).ok()?;
        Some(read.trim().to_owned())
    }

    /// Where it is, for people who look after several: the machine and the folder.
    pub(crate) fn whereabouts(&self) -> String {
        let system = rustix::system::uname();
        let machine = system.nodename().to_string_lossy();
        format!("{machine}:{}", self.path().display())
    }

    fn make_identity(&self) -> io::Result<String> {
        let digits = secret_digits()?;
        let digits = &digits[..DIGITS];
        replace_file(&self.identity_path(), &format!("{digits}\n"), Sync::ToDisk)?;
        Ok(digits.to_owned())
    }

    fn nameless(&self, why: &str) -> Failure {
        let path = self.identity_path();
        Failure::new(format!("the name of this home {} {why}", path.display())).hint(
            "restore the file from a backup, or remove it: `angelia serve` makes a new one, and \
             background processes that still run here are no longer looked after",
        )
    }
}
