//! `angelia platforms …`: its commands, their flags and the help that teaches them.

use clap::{Args, Subcommand};

use super::Format;

/// Look at the accounts through which people write
#[derive(Debug, Subcommand)]
#[command(after_help = PLATFORMS_EXAMPLES)]
pub(crate) enum Platforms {
    /// List the accounts of the running gateway, and how their connections are
    List(List),
    /// Ask the platforms of the configuration who we are there
    ///
    /// Works without a running gateway, and takes nothing from a running one.
    Probe(Probe),
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Probe {
    /// Only this account
    #[arg(value_name = "ACCOUNT")]
    pub(crate) account: Option<String>,
    #[command(flatten)]
    pub(crate) format: Format,
}

const PLATFORMS_EXAMPLES: &str = "\
Examples:
  angelia platforms list            which accounts are connected
  angelia platforms probe telegram  whether the token is right";
