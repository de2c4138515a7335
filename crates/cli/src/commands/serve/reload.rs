//! SIGHUP: the configuration is read and checked again, and what a restart would change is logged.
//!
//! Nothing changes live yet, so nothing is half applied: the running settings stay whole.

use super::again::Birth;
use crate::config::{ConfigFile, Effective, Overrides, Resolved};

/// The configuration that was read at the start, and what it said.
pub(super) struct Watched<'a> {
    pub(super) config: ConfigFile,
    pub(super) overrides: &'a Overrides,
    pub(super) held: &'a Resolved,
    pub(super) birth: &'a mut Birth,
}

impl Watched<'_> {
    /// Why the gateway would not come back, if it would not.
    pub(super) fn obstacle(&self) -> Option<String> {
        match self.config.clone().load(self.overrides) {
            Err(failed) => Some(failed.told().0.to_owned()),
            Ok(_) => self.birth.obstacle(self.held.settings.restart),
        }
    }

    /// Reads the file again and logs what it says now.
    pub(super) fn check(&self) {
        let path = self.config.path().display();
        match self.config.clone().load(self.overrides) {
            Err(failure) => tracing::error!("the running settings stay: {failure}"),
            Ok(now) => {
                let mut changed = changes(&self.held.effective, &now.effective);
                if changed.is_empty() && now.settings != self.held.settings {
                    changed.push("a secret was written anew".to_owned());
                }
                if changed.is_empty() {
                    tracing::info!(%path, "the configuration has no errors and changes nothing");
                }
                for change in changed {
                    tracing::warn!(%path, "{change}; restart to apply it: `angelia restart`");
                }
            }
        }
    }
}

/// What differs, one line per key. Places with a policy of their own may come and go.
fn changes(held: &[Effective], now: &[Effective]) -> Vec<String> {
    let text_of = |list: &[Effective], path: &str| {
        let found = list.iter().find(|one| one.path == path);
        found.and_then(|one| one.text.clone())
    };
    let gone = held.iter().filter(|one| text_of(now, &one.path).is_none());
    let paths = now.iter().chain(gone).map(|one| one.path.as_str());
    let line = |path: &str| {
        let (before, after) = (text_of(held, path), text_of(now, path));
        let said = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
        let words = format!(
            "`{path}` was {} and would be {}",
            said(&before),
            said(&after)
        );
        (before != after).then_some(words)
    };
    paths.filter_map(line).collect()
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

    #[test]
    fn a_place_that_came_or_went_is_named() {
        let held = effective("[sessions.reset_for]\ngroup = { mode = \"idle\" }\n");
        let found = changes(&held, &effective(""));
        assert_eq!(found.len(), 6, "{found:#?}");
        assert_eq!(
            found[0],
            "`sessions.reset_for.group.mode` was idle and would be nothing"
        );
        assert_eq!(changes(&effective(""), &held).len(), 6);
    }
}
