//! SIGHUP: the configuration is read and checked again, and what a restart would change is logged.
//!
//! Nothing changes live yet, so nothing is half applied: the running settings stay whole.

use crate::config::{ConfigFile, Effective, Overrides, Resolved};

/// The configuration that was read at the start, and what it said.
pub(super) struct Watched<'a> {
    pub(super) config: ConfigFile,
    pub(super) overrides: &'a Overrides,
    pub(super) held: &'a Resolved,
}

impl Watched<'_> {
    /// Reads the file again and logs what it says now.
    pub(super) fn check(&self) {
        let path = self.config.path().display();
        match self.config.clone().load(self.overrides) {
            Err(failure) => tracing::error!("the running settings stay: {failure}"),
            Ok(now) => {
                let changed = changes(&self.held.effective, &now.effective);
                if changed.is_empty() {
                    tracing::info!(%path, "the configuration has no errors and changes nothing");
                }
                for change in changed {
                    tracing::warn!(%path, "{change}; restart to apply it: `angelia serve --replace`");
                }
            }
        }
    }
}

/// What differs, one line per key.
fn changes(held: &[Effective], now: &[Effective]) -> Vec<String> {
    let said = |one: &Effective| one.text.clone().unwrap_or_else(|| "nothing".to_owned());
    let both = held
        .iter()
        .zip(now)
        .filter(|(held, now)| held.text != now.text);
    both.map(|(held, now)| {
        format!(
            "`{}` was {} and would be {}",
            held.path,
            said(held),
            said(now)
        )
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Named;

    fn effective(text: &str) -> Vec<Effective> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("angelia.toml");
        std::fs::write(&path, text).unwrap();
        let mut file = ConfigFile::new(path, Named::Explicitly);
        file.load(&Overrides::default()).unwrap().effective
    }

    #[test]
    fn only_what_differs_is_named() {
        let held = effective("[busy]\nmode = \"queue\"\n");
        let now = effective("\n\n[busy]\nmode = \"steer\"\n[drain]\ntimeout = \"60s\"\n");
        assert_eq!(
            changes(&held, &now),
            ["`busy.mode` was queue and would be steer"]
        );
    }
}
