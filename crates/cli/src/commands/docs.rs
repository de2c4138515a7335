//! `angelia docs`: the reference pages, written from the command line and the table of keys.
//!
//! It is hidden: only whoever changes a command or a key needs it. A test runs it and compares.

use std::fmt::Write as _;
use std::{fs, io};

use clap::{Command, CommandFactory as _};

use crate::args::{CommandLine, Docs};
use crate::config::keys::{self, KEYS, Key, Kind};
use crate::errors::Failure;

pub(super) fn run(wish: &Docs) -> Result<(), Failure> {
    let write = |name: &str, page: String| -> io::Result<()> {
        fs::create_dir_all(&wish.folder)?;
        fs::write(wish.folder.join(name), page)
    };
    let written =
        write("commands.md", commands()).and_then(|()| write("configuration.md", configuration()));
    written.map_err(|error| {
        let folder = wish.folder.display();
        Failure::new(format!("the pages cannot be written to {folder}: {error}"))
    })
}

/// The help of every command that is not hidden, by its full name.
pub(crate) fn helps() -> Vec<(String, String)> {
    let mut root = CommandLine::command()
        .term_width(100)
        .disable_help_subcommand(true);
    root.build();
    let mut found = Vec::new();
    collect(&root, &mut found);
    found
}

fn collect(command: &Command, found: &mut Vec<(String, String)>) {
    let name = command
        .get_bin_name()
        .unwrap_or(command.get_name())
        .to_owned();
    let help = command.clone().render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    found.push((name, lines.join("\n")));
    let shown = command
        .get_subcommands()
        .filter(|below| !below.is_hide_set());
    shown.for_each(|below| collect(below, found));
}

fn commands() -> String {
    let mut page = String::from(
        "# Commands\n\nMade by `angelia docs` from the command line itself; change that, not this page.\n",
    );
    for (name, help) in helps() {
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## `{name}`\n\n```text\n{help}\n```\n");
    }
    page
}

fn configuration() -> String {
    let mut page = String::from(
        "# Configuration\n\nMade by `angelia docs` from the table of keys; change that, not this page.\n\n\
         One TOML file, `angelia.toml` in the home, or where `--config` or `ANGELIA_CONFIG` says. Every key\n\
         is optional. An unknown key is an error. `angelia config show` prints what holds and why,\n\
         `angelia config check` lists every error with its line, and `angelia config schema` prints a JSON\n\
         Schema for editors. A changed file holds after the next start; `SIGHUP` checks it and logs what\n\
         would change.\n\n| key | value | default | what it is for |\n| --- | --- | --- | --- |\n",
    );
    for key in KEYS.iter().copied() {
        let default = key.default.filter(|default| !default.is_empty());
        let default = default.map_or("none".to_owned(), |default| format!("`{default}`"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | {} | {default} | {} |",
            key.path,
            shape(key),
            key.says
        );
    }
    page.push_str(EXAMPLE);
    page
}

fn shape(key: &Key) -> String {
    match key.kind {
        Kind::Text { example } => format!("a string, such as `\"{example}\"`"),
        Kind::Choice(words) => {
            let quoted: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            quoted.join(", ")
        }
        Kind::YesNo => "`true` or `false`".to_owned(),
        Kind::Number { from, to } if to > keys::MANY => format!("a whole number from {from} on"),
        Kind::Number { from, to } => format!("a whole number from {from} to {to}"),
        Kind::Free { example } => format!("any value, such as `{example}`"),
        Kind::Dollars => "an amount in dollars, such as `2.50`".to_owned(),
        Kind::Id { example } => format!("an id, such as `\"{example}\"`"),
        Kind::Texts { example } => format!("a list of strings, such as `[\"{example}\"]`"),
        Kind::Secret { example } => format!(
            "a string, or where it is: `{{ env = \"{example}\" }}`, `{{ file = \"path\" }}`, \
             `{{ command = [\"program\", \"argument\"] }}`"
        ),
        Kind::Names { example } => format!("a list of names, such as `[\"{example}\"]`"),
        Kind::Patterns { example } => format!("a list of patterns, such as `[\"{example}\"]`"),
    }
}

const EXAMPLE: &str = "
## Example

```toml
listen    = \"127.0.0.1:8787\"
time_zone = \"Europe/Berlin\"

[sessions]
per_user_in_groups = true
reset = { mode = \"both\", idle_minutes = 1440, at_hour = 4 }

[sessions.reset_for]
\"telegram.group\" = { mode = \"idle\", idle_minutes = 120 }
slack            = { mode = \"none\" }

[busy]
mode = \"queue\"

[drain]
timeout = \"60s\"

[privacy]
hide_ids = true

[profiles]
multiplex = true

[[profiles.routes]]
platform = \"discord\"
scope    = \"900100\"
profile  = \"work\"
```

## Environment

| variable | what it is for |
| --- | --- |
| `ANGELIA_HOME` | the home, unless `--home` says otherwise |
| `ANGELIA_CONFIG` | the configuration file, unless `--config` says otherwise |
| `ANGELIA_DATABASE` | takes the place of `database` |
| `ANGELIA_LOG` | what `serve` logs to stderr: a level (`info` unless set), or directives such as `info,angelia_gateway=debug` |
| `NO_COLOR` | if set, nothing is coloured |
";
