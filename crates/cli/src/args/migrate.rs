//! The command line of `angelia migrate`.

use clap::Args;

use crate::output::Form;

/// Copy everything from SQLite to PostgreSQL, or back
///
/// Copies the database that the configuration names into TO, which must be empty, and compares both row by row. No
/// gateway may run on either. It may be interrupted at any time: the same command goes on where it stopped. The old
/// database is only read, and the configuration is not changed: what to change in it is said at the end.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Migrate {
    /// Where to: `sqlite` is the file in the home, `-` reads the address from standard input
    #[arg(value_name = "TO")]
    pub(crate) to: String,
    /// Say what would be copied, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) again: Again,
    #[command(flatten)]
    pub(crate) ending: Ending,
}

/// What becomes of an unfinished copy.
#[derive(Debug, Args)]
pub(crate) struct Again {
    /// Empty a copy that was not finished, and begin anew
    #[arg(long)]
    pub(crate) start_over: bool,
}

/// How the end is told.
#[derive(Debug, Args)]
pub(crate) struct Ending {
    /// Print what was copied as JSON, with a checksum for each table
    #[arg(long)]
    json: bool,
}

impl Ending {
    pub(crate) fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::People }
    }
}

const EXAMPLES: &str = "\
Examples:
  angelia migrate --dry-run postgres://angelia@db.example.org/angelia
  angelia migrate postgres://angelia:PASSWORD@db.example.org/angelia
  pass show angelia-database | angelia migrate -      an address that no list of processes shows
  angelia migrate sqlite                              back into the file of the home";
