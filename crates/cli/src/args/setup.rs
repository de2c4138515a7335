//! The command line of `angelia setup`.

use std::path::PathBuf;

use clap::Args;

/// Choose who answers, step by step
///
/// Asks who answers, where it is and what opens its door, tries it with one short question, and changes
/// `[agent]` in the configuration. All else in the file stays as it is. A key that is typed goes into a file for
/// its owner alone, never into the configuration. Nothing is written before the end.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Setup {
    /// Ask nothing: take the flags
    #[arg(long)]
    pub(crate) non_interactive: bool,
    #[command(flatten)]
    pub(crate) trial: Trial,
    /// Who answers: openai, anthropic, acp, exec or demo
    #[arg(long, value_name = "NAME", requires = "non_interactive")]
    pub(crate) backend: Option<String>,
    /// Where the model's server is
    #[arg(long, value_name = "URL", requires = "non_interactive")]
    pub(crate) base_url: Option<String>,
    /// The model, by its name there
    #[arg(long, value_name = "NAME", requires = "non_interactive")]
    pub(crate) model: Option<String>,
    /// The variable that holds the key
    #[arg(long, value_name = "VARIABLE", requires = "non_interactive")]
    pub(crate) key_env: Option<String>,
    /// The file that holds the key
    #[arg(
        long,
        value_name = "PATH",
        requires = "non_interactive",
        conflicts_with = "key_env"
    )]
    pub(crate) key_file: Option<PathBuf>,
    /// The program that answers and its arguments, for acp and exec
    #[arg(long, value_name = "WORDS", requires = "non_interactive")]
    pub(crate) command: Option<String>,
}

/// Whether the agent is tried.
#[derive(Debug, Args)]
pub(crate) struct Trial {
    /// Do not try the agent
    #[arg(long)]
    pub(crate) no_test: bool,
}

const EXAMPLES: &str = "\
Examples:
  angelia setup
  angelia setup --non-interactive --backend anthropic --model claude-sonnet-4-5 --key-env ANTHROPIC_API_KEY
  angelia setup --non-interactive --backend openai --base-url http://127.0.0.1:9000/v1 --model some-model
  angelia setup --non-interactive --backend demo";
