//! The browser as a process: found, started on an empty profile, ended by its own number.
//!
//! It runs in a process group of its own, because a browser is many processes and all of them must go. It
//! is told to call nobody: the journeys would notice the page doing so, but not the browser itself.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::world::wait_for;

const FLAGS: [&str; 16] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--no-first-run",
    "--no-proxy-server",
    "--hide-scrollbars",
    // Without a mouse at the machine the page would take every screen for one without a pointer.
    "--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2",
    "--remote-debugging-port=0",
];

/// A running browser with a profile that vanishes with it.
pub(super) struct Chromium {
    child: Child,
    profile: tempfile::TempDir,
}

impl Chromium {
    /// Starts a browser; nothing where there is none.
    pub(super) fn start() -> Option<Self> {
        let program = program()?;
        let profile = tempfile::tempdir().unwrap();
        let said = File::create(profile.path().join("said")).unwrap();
        let child = Command::new(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .env("HOME", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(said)
            .process_group(0)
            .spawn()
            .unwrap();
        Some(Self { child, profile })
    }

    /// Where it listens: the port and the path of its protocol.
    pub(super) fn endpoint(&mut self) -> (u16, String) {
        wait_for("the browser to listen", || {
            assert!(
                self.child.try_wait().unwrap().is_none(),
                "the browser ended: {}",
                self.said()
            );
            let text = fs::read_to_string(self.profile.path().join("DevToolsActivePort")).ok()?;
            let (port, path) = text.split_once('\n')?;
            Some((port.parse().ok()?, path.trim().to_owned()))
        })
    }

    fn said(&self) -> String {
        fs::read_to_string(self.profile.path().join("said")).unwrap_or_default()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = pid {
            // An error means that it has ended already.
            let _ended = kill_process_group(group, Signal::KILL).is_err();
        }
        let _reaped = self.child.wait().is_ok();
    }
}

/// The browser that `cargo xtask test` found, or the one on the search path.
fn program() -> Option<PathBuf> {
    let found = variable("ANGELIA_TEST_CHROMIUM")
        .map(PathBuf::from)
        .or_else(on_path);
    if found.is_none() {
        let words = "LEFT OUT: no browser, so the console was not tried; install Chromium or set \
                     ANGELIA_TEST_CHROMIUM to one";
        assert_ne!(variable("CI").as_deref(), Some("true"), "{words}");
        eprintln!("{words}");
    }
    found
}

fn on_path() -> Option<PathBuf> {
    let path = variable("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join("chromium"))
        .find(|it| it.is_file())
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is how `cargo xtask test` hands over the browser"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
