//! The key of the marks that the settings of agents have in the store: random digits in a file, made once.
//!
//! The store says by a mark whether an agent runs with the settings of today, some of which are secrets. Without this
//! file nobody who reads the store can try secrets out. With another key every agent is started anew once, so one
//! that is lost is no harm.

use std::io;
use std::path::PathBuf;

use super::{Home, Sync, read_secret, replace_file, secret_digits};
use crate::errors::Failure;

impl Home {
    fn agent_key_path(&self) -> PathBuf {
        self.path().join("agent-key")
    }

    /// The key, made if there is none. Only the holder of the lock may call this.
    pub(crate) fn agent_key(&self) -> Result<String, Failure> {
        let read = match read_secret(&self.agent_key_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.make_agent_key(),
            read => read,
        };
        let read = read.map_err(|error| self.no_agent_key(&format!("cannot be used: {error}")))?;
        match read.trim() {
            "" => Err(self.no_agent_key("is empty")),
            key => Ok(key.to_owned()),
        }
    }

    fn make_agent_key(&self) -> io::Result<String> {
        let digits = secret_digits()?;
        let path = self.agent_key_path();
        replace_file(&path, &format!("{digits}\n"), Sync::ToDisk)?;
        Ok(digits)
    }

    fn no_agent_key(&self, why: &str) -> Failure {
        let path = self.agent_key_path();
        let what = format!("the key of the agents' settings {} {why}", path.display());
        Failure::new(what).hint(
            "mend its rights, or remove it: `angelia serve` makes a new one, and starts each agent anew \
             once",
        )
    }
}
