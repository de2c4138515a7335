//! Containers of tests: each test has its own and removes it. One that was killed could not, so
//! whoever comes next removes what belongs to nobody any more.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What all of them are called; the number of the test's process follows.
const NAME: &str = "angelia-test-";

/// Removes the containers of this test when it is dropped.
pub(super) struct Removed {
    program: PathBuf,
}

impl Removed {
    /// Those of this test, after those of dead ones.
    pub(super) fn of_this_test(program: &Path) -> Self {
        let removed = Self {
            program: program.to_owned(),
        };
        removed.remove(|owner| !Path::new("/proc").join(owner).exists());
        removed
    }

    /// What the container is called.
    pub(super) fn name(&self) -> String {
        format!("{NAME}{}", std::process::id())
    }

    fn remove(&self, whose: impl Fn(&str) -> bool) {
        for name in self.names() {
            let owner = name.strip_prefix(NAME).unwrap_or_default();
            let owner = owner.split('-').next().unwrap_or_default();
            if !owner.is_empty() && whose(owner) {
                // Somebody else may be faster.
                let _gone = self.podman(&["rm", "--force", "--time", "0", &name]);
            }
        }
    }

    fn names(&self) -> Vec<String> {
        let filter = format!("name=^{NAME}");
        let words = ["ps", "--all", "--format", "{{.Names}}", "--filter", &filter];
        let printed = self.podman(&words).unwrap_or_default();
        printed.lines().map(str::to_owned).collect()
    }

    fn podman(&self, words: &[&str]) -> Option<String> {
        let mut podman = Command::new(&self.program);
        let ran = podman.args(words).stderr(Stdio::null()).output().ok()?;
        String::from_utf8(ran.stdout).ok()
    }
}

impl Drop for Removed {
    fn drop(&mut self) {
        let ours = std::process::id().to_string();
        self.remove(|owner| owner == ours);
    }
}
