//! An MCP server over pipes for the tests: `program MODE NOTES` (see `script`).

mod script;

use std::fs::OpenOptions;
use std::io::{self, BufRead as _, Write as _};

use script::{Reply, Script};

/// Lines of complaints, in the mode that has many.
const COMPLAINTS: usize = 100_000;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let notes = arguments.next().unwrap_or_default();
    let mut script = Script::new(&mode);
    note(&notes, "started")?;
    match mode.as_str() {
        "dead" => {
            io::stderr().write_all(b"this cannot work, whatever token=sesame-open-now says\n")?;
            std::process::exit(3);
        }
        "garbage" => say("this is no JSON\n\u{0}\n{\"neither\": \"is this\"}\n[]")?,
        "complaining" => {
            for number in 0..COMPLAINTS {
                io::stderr().write_all(format!("complaint {number}\n").as_bytes())?;
            }
        }
        _ => (),
    }
    for line in io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str(&line?) else {
            continue;
        };
        let (heard, replies) = script.hear(&message);
        if let Some(heard) = heard {
            note(&notes, &heard)?;
        }
        for reply in replies {
            match reply {
                Reply::Say(message) => say(&message.to_string())?,
                Reply::Die => std::process::exit(9),
            }
        }
    }
    note(&notes, "ended")
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes down what happened, for whoever looks.
fn note(notes: &str, what: &str) -> io::Result<()> {
    if notes.is_empty() {
        return Ok(());
    }
    let mut file = OpenOptions::new().append(true).create(true).open(notes)?;
    file.write_all(format!("{what}\n").as_bytes())
}
