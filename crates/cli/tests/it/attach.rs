//! Sitting down at a process: the real command on a real terminal.

use rustix::process::Signal;
use rustix::termios::{LocalModes, SpecialCodeIndex, Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::processes::{Held, end};
use crate::terminal::Terminal;
use crate::world::{Running, wait_for};

const LEAVE: &str = "\x1d";

/// A person at a process.
struct Person {
    terminal: Terminal,
    before: Termios,
    attach: Running,
}

impl Person {
    /// Sits down at a window of so many rows and columns.
    fn at(held: &Held, process: &str, size: (u16, u16)) -> Self {
        let mut terminal = Terminal::new();
        resize(&terminal, size);
        let before = tcgetattr(terminal.line()).unwrap();
        let mut command = held.world.command(&["processes", "attach", process]);
        command.stdin(terminal.line()).stdout(terminal.line());
        command.stderr(terminal.line());
        let attach = Running::start(command);
        terminal.shows("Ctrl-] leaves it running\r\n");
        Self {
            terminal,
            before,
            attach,
        }
    }

    /// Stands up with the last words on the screen, and leaves the window as it was found.
    fn ends_with(self, words: &str) -> String {
        let mut terminal = self.terminal;
        let shown = terminal.shows(words);
        assert_eq!(self.attach.end().code, Some(0));
        assert_same(&tcgetattr(terminal.line()).unwrap(), &self.before);
        shown
    }
}

fn resize(terminal: &Terminal, (rows, columns): (u16, u16)) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(terminal.line(), size).unwrap();
}

#[track_caller]
fn assert_same(now: &Termios, before: &Termios) {
    let switches = |termios: &Termios| {
        (
            termios.local_modes,
            termios.input_modes,
            termios.output_modes,
            termios.special_codes[SpecialCodeIndex::VEOL],
        )
    };
    assert_eq!(switches(now), switches(before));
}

#[test]
fn every_key_reaches_a_process_on_a_terminal_and_it_has_the_size_of_the_window() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let process = held.start(
        "--pty trap 'echo caught' INT; echo ready; sleep 1000; \
         while read -r line; do echo \"got $line at $(stty size).\"; done; echo over; exit 3",
    );
    let mut person = Person::at(&held, &process, (33, 101));
    person.terminal.shows("ready\r\n");
    let raw = tcgetattr(person.terminal.line()).unwrap().local_modes;
    assert!(!raw.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG));
    person.terminal.types("\x03");
    person.terminal.shows("caught\r\n");
    person.terminal.types("hello\r");
    person.terminal.shows("got hello at 33 101.\r\n");
    resize(&person.terminal, (40, 90));
    person.attach.signal(Signal::WINCH);
    wait_for("the new size", || {
        person.terminal.types("again\r");
        let shown = person.terminal.shows(".\r\n");
        shown.contains("at 40 90.").then_some(())
    });
    person.terminal.types("\x04");
    person.terminal.shows("over\r\n");
    person.ends_with(&format!("{process} exited with code 3\r\n"));
}

#[test]
fn who_leaves_lets_it_run_and_sees_the_newest_screenful_when_back() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let process = held.start(
        "--pty i=0; while [ $i -lt 500 ]; do i=$((i+1)); echo line $i; done; \
         printf '\\033[?1049h\\033[?25lprompt'; cat >/dev/null",
    );
    wait_for("all of it", || {
        held.log(&process).ends_with("prompt").then_some(())
    });
    for _ in 0..2 {
        let mut person = Person::at(&held, &process, (20, 80));
        let shown = person.terminal.shows("prompt");
        assert!(
            shown.contains("line 482\r\n") && !shown.contains("line 480\r\n"),
            "{shown}"
        );
        person.terminal.types(LEAVE);
        let last = person.ends_with(&format!("left {process}; it goes on\r\n"));
        assert!(last.contains("\x1b[?1049l\x1b[?25h"), "{last:?}");
        assert_eq!(held.process(&process)["state"], "running");
    }
}

#[test]
fn a_process_with_pipes_is_talked_to_in_lines() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let process =
        held.start("while read -r line; do printf '\\033[31mgot %s\\n' \"$line\"; done; exit 4");
    let mut person = Person::at(&held, &process, (24, 80));
    person.terminal.types("one\n");
    person.terminal.shows("one\r\ngot one\r\n");
    person.terminal.types(LEAVE);
    person.ends_with("it goes on\r\n");
    let mut person = Person::at(&held, &process, (24, 80));
    person.terminal.shows("got one\r\n");
    person.terminal.types("two\n");
    person.terminal.shows("got two\r\n");
    person.terminal.types("\x04");
    person.ends_with(&format!("{process} exited with code 4\r\n"));
}

#[test]
fn a_sitting_outlives_the_gateway_with_every_byte_and_every_key() {
    let held = Held::new();
    let gateway = held.world.serve();
    let process =
        held.start("--pty stty -echo; echo ready; while read -r x; do echo \"got $x\"; done");
    let mut person = Person::at(&held, &process, (24, 80));
    person.terminal.shows("ready\r\n");
    person.terminal.types("one\r");
    person.terminal.shows("got one\r\n");
    end(gateway, Signal::KILL);
    person.terminal.shows("waiting for it to come back");
    person.terminal.types("two\r");
    let _gateway = held.world.serve();
    let shown = person.terminal.shows("got two\r\n");
    assert!(
        !shown.contains("got one"),
        "nothing is shown twice: {shown:?}"
    );
    person.terminal.types("\x04");
    person.ends_with("exited with code 0\r\n");
    assert_eq!(held.log(&process), "ready\r\ngot one\r\ngot two\r\n");
}

#[test]
fn a_sitting_that_is_told_to_end_gives_the_window_back() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let process = held.start("--pty echo ready; cat");
    for signal in [Signal::TERM, Signal::HUP] {
        let mut person = Person::at(&held, &process, (24, 80));
        person.terminal.shows("ready\r\n");
        person.attach.signal(signal);
        person.ends_with("it goes on\r\n");
    }
    assert_eq!(held.process(&process)["state"], "running");
}

#[test]
fn fast_typing_arrives_whole_and_in_order() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let process = held.start("--pty stty raw -echo; echo ready; head -c 6000 | od -An -v -tu1 -w6000 | tr -s ' ' '\\n' | cksum; exit 0");
    let mut person = Person::at(&held, &process, (24, 80));
    person.terminal.shows("ready");
    let bytes: Vec<u8> = (0..6000_u32)
        .map(|n| b'!' + (n % 90) as u8)
        .filter(|b| *b != 0x1d)
        .collect();
    for chunk in bytes.chunks(7) {
        person.terminal.types(std::str::from_utf8(chunk).unwrap());
    }
    let all: Vec<String> = bytes.iter().map(u8::to_string).collect();
    let expected = checksum(&held, &format!("\n{}\n", all.join("\n")));
    person.terminal.shows(&expected);
    person.ends_with("exited with code 0\r\n");
}

/// What `cksum` says of the words.
fn checksum(held: &Held, words: &str) -> String {
    let file = held.flag("words");
    std::fs::write(&file, words).unwrap();
    let said = std::process::Command::new("cksum")
        .stdin(std::fs::File::open(file).unwrap())
        .output();
    String::from_utf8(said.unwrap().stdout)
        .unwrap()
        .trim()
        .to_owned()
}

#[test]
fn what_is_piped_in_goes_to_the_process_and_ends_nothing() {
    let held = Held::new();
    let _gateway = held.world.serve();
    let process = held.start("read -r one; read -r two; echo $one-$two; exit 0");
    let file = held.flag("lines");
    std::fs::write(&file, "a\nb\n").unwrap();
    let mut command = held.world.command(&["processes", "attach", &process]);
    command.stdin(std::fs::File::open(file).unwrap());
    let ran = crate::world::ended(command);
    assert_eq!(
        ran.stdout,
        format!("a-b\n{process} exited with code 0\n"),
        "{ran:?}"
    );
    let unknown = held
        .world
        .run(&["processes", "attach", "prc_00000000000000000000000007"]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.stderr.contains("no process"), "{}", unknown.stderr);
}
