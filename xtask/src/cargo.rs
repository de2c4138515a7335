//! Calling cargo, and every other program the workbench needs.
//!
//! Each call says in its error which command failed and how, so a log needs no guessing. The cargo
//! that started us is the one we call, so a pinned toolchain stays pinned. Nothing here reads what
//! the programs print, except where a caller asks for it.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Reads one environment variable; the only place in the workbench that does.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).and_then(|value| value.into_string().ok())
}

/// Cargo with these arguments, its output going to the terminal.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(variable("CARGO").unwrap_or_else(|| "cargo".to_owned()));
    command.args(args);
    for (name, _) in std::env::vars_os().filter(|(name, _)| describes_us(name)) {
        command.env_remove(name);
    }
    command
}

/// Whether `cargo run` set this variable to describe the workbench itself. Some build scripts watch
/// these, and would run again at every change between `cargo build` and `cargo xtask`.
fn describes_us(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    ["CARGO_PKG_", "CARGO_MANIFEST_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// Runs to the end, and fails unless the program says it went well.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let words = words(command);
    let status = command
        .status()
        .with_context(|| format!("cannot start `{words}`; is the program installed?"))?;
    if !status.success() {
        bail!("`{words}` ended with {status}; its output is above");
    }
    Ok(())
}

/// Runs to the end without a word; for programs whose output is of no use to the reader.
pub(crate) fn run_silently(command: &mut Command) -> Result<()> {
    let words = words(command);
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("cannot start `{words}`; is the program installed?"))?;
    if !status.success() {
        bail!("`{words}` ended with {status}; run it by hand to see why");
    }
    Ok(())
}

/// What a program printed on standard output, and whether it says it went well.
pub(crate) fn printed(command: &mut Command) -> Result<Printed> {
    let words = words(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{words}`; is the program installed?"))?;
    let text = String::from_utf8(output.stdout)
        .with_context(|| format!("`{words}` printed something that is not UTF-8"))?;
    Ok(Printed {
        text,
        success: output.status.success(),
    })
}

/// The standard output of a program that ended.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) success: bool,
}

/// The command as one would type it.
pub(crate) fn words(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let program = program.rsplit('/').next().unwrap_or_default().to_owned();
    let args = command
        .get_args()
        .map(|arg| arg.to_string_lossy().into_owned());
    std::iter::once(program)
        .chain(args)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
#[path = "cargo_tests.rs"]
mod tests;
