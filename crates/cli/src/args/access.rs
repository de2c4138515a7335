//! `angelia access …`: its commands, their flags and the help that teaches them.

use clap::{Args, Subcommand, ValueEnum};

use super::{Format, Rows};

/// Let people in, and see who may speak
///
/// A stranger who writes to a bot gets a code and nothing else. Whoever is told the code can let them in: here, in the
/// console, or as an operator in a chat with `/access approve CODE`. Lists in the configuration hold besides.
#[derive(Debug, Subcommand)]
#[command(after_help = ACCESS_EXAMPLES)]
pub(crate) enum Access {
    /// List who waits to be let in, and who was
    List(List),
    /// Let somebody in who waits
    Approve(Approve),
    /// Let somebody in who does not wait, or change what they are
    Grant(Grant),
    /// Let somebody in no more
    Revoke(Revoke),
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Also grants that were taken back
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) rows: Rows,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// The code that they were given, or the id that `list` shows
    #[arg(value_name = "CODE")]
    pub(crate) code: String,
    #[command(flatten)]
    pub(crate) terms: Terms,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Grant {
    /// An account or a platform, a colon, and the person's id there
    #[arg(value_name = "ACCOUNT:PERSON", value_parser = person)]
    pub(crate) person: (String, String),
    #[command(flatten)]
    pub(crate) terms: Terms,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// As what, and why.
#[derive(Debug, Args)]
pub(crate) struct Terms {
    /// What they are
    #[arg(long, value_enum, default_value_t = Role::Member)]
    pub(crate) role: Role,
    /// Why, for those who look it up later
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Revoke {
    /// The grant by its id, or an account, a colon, and the person's id there
    #[arg(value_name = "GRANT")]
    pub(crate) grant: String,
    /// Why, for those who look it up later
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// What somebody is to the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// May do everything, and let others in
    Operator,
    /// May speak and use tools
    Member,
    /// May speak, without tools that reach the machine
    Guest,
}

fn person(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((account, person)) if !account.is_empty() && !person.is_empty() => {
            Ok((account.to_owned(), person.to_owned()))
        }
        Some(_) | None => {
            Err("expected an account, a colon and an id, as in telegram:12345".to_owned())
        }
    }
}

const ACCESS_EXAMPLES: &str = "\
Examples:
  angelia access list                                      who waits, and who may speak
  angelia access approve K7WMPQ3X                          whoever was given this code
  angelia access approve knk_01k9zq3m5t8v2c4d6f7g8h9jkm    whoever waits so
  angelia access grant telegram:12345 --why \"my phone\"
  angelia access grant telegram:12345 --role operator
  angelia access revoke telegram:12345 --why \"left the team\"";
