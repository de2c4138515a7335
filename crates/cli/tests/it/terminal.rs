//! What a person sees: the same commands on a terminal.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::world::{Running, World, ended};

/// A terminal of our own: what is written to it is typed, what is read from it was shown.
pub(crate) struct Terminal {
    keyboard_and_screen: File,
    line: File,
    shown: String,
}

impl Terminal {
    pub(crate) fn new() -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let path = std::ffi::OsStr::from_bytes(name.as_bytes());
        let line = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .unwrap();
        Self {
            keyboard_and_screen: File::from(ours),
            line,
            shown: String::new(),
        }
    }

    pub(crate) fn line(&self) -> File {
        self.line.try_clone().unwrap()
    }

    pub(crate) fn types(&mut self, text: &str) {
        self.keyboard_and_screen.write_all(text.as_bytes()).unwrap();
    }

    /// Reads the screen until it shows the words; what it showed until then.
    pub(crate) fn shows(&mut self, words: &str) -> String {
        let mut bytes = [0; 1024];
        while !self.shown.contains(words) {
            let count = self.keyboard_and_screen.read(&mut bytes).unwrap();
            self.shown
                .push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        let end = self.shown.find(words).unwrap() + words.len();
        self.shown.drain(..end).collect()
    }
}

#[test]
fn a_conversation_is_typed_line_by_line() {
    let world = World::new();
    let _gateway = world.serve();
    let mut terminal = Terminal::new();
    let mut command = world.command(&["chat"]);
    command.stdin(terminal.line()).stdout(terminal.line());
    let chat = Running::start(command);
    // What is typed before the prompt would be shown before it too.
    terminal.shows("> ");
    terminal.types("echo hi\n");
    terminal.shows("hi\r\nhi\r\n");
    terminal.shows("> ");
    terminal.types("stream 3\n");
    terminal.shows("word1 word2 word3\r\n");
    terminal.shows("> ");
    terminal.types("/qu\t\x15/stat\t");
    terminal.shows("/status ");
    terminal.types("\n");
    terminal.shows("Conversation: ");
    terminal.shows("> ");
    terminal.types("/quit\n");
    assert_eq!(chat.end().code, Some(0));
}

#[test]
fn the_first_words_to_a_person_are_an_invitation() {
    let world = World::new();
    let mut terminal = Terminal::new();
    let mut command = world.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.stdout(terminal.line());
    let _gateway = Running::start(command);
    let greeting = terminal.shows("Ctrl-C stops it");
    let token = std::fs::read_to_string(world.home().join("api-token")).unwrap();
    assert!(
        greeting.contains(&format!("/#token={}", token.trim())),
        "{greeting}"
    );
    assert!(greeting.contains("demo"), "{greeting}");
}

#[test]
fn colour_is_for_terminals_and_only_if_wanted() {
    let world = World::new();
    let _gateway = world.serve();
    let mut terminal = Terminal::new();
    for (value, coloured) in [("", true), ("1", false)] {
        let mut command = world.command(&["status"]);
        command.env("NO_COLOR", value).stdout(terminal.line());
        assert_eq!(ended_on(command), Some(0));
        let shown = terminal.shows("all well");
        assert_eq!(shown.contains("\x1b[32m"), coloured, "{shown}");
    }
    assert!(!ended(world.command(&["status"])).stdout.contains('\x1b'));
}

/// Runs a command whose output goes elsewhere.
fn ended_on(mut command: std::process::Command) -> Option<i32> {
    command.status().unwrap().code()
}
