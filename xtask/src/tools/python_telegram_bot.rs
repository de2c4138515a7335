//! A Python with the `python-telegram-bot` package, which judges whether our fake Bot API server is one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

use super::openai;
use crate::say;

/// The version that is tested against.
const VERSION: &str = "22.8";

/// Finds the environment, or makes it.
pub(super) fn obtain(target: &Path) -> Result<PathBuf> {
    let folder = target.join("tools").join("telegram-venv");
    let python = folder.join("bin").join("python");
    if !is_ready(&python) {
        say::step(format!(
            "making a Python environment with python-telegram-bot {VERSION}"
        ));
        openai::make_environment(&folder)?;
        openai::install_package(&python, &format!("python-telegram-bot=={VERSION}"))?;
    }
    Ok(python)
}

fn is_ready(python: &Path) -> bool {
    let mut command = Command::new(python);
    let look = "import telegram; print(telegram.__version__)";
    command.args(["-c", look]).stderr(Stdio::null());
    command
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == VERSION.as_bytes())
}
