//! `angelia config`: the settings, without a running gateway.

use super::Start;
use crate::args::Config;
use crate::config;
use crate::errors::Failure;
use crate::output::{Form, Output};

pub(super) fn run(mut start: Start, wish: Config) -> Result<(), Failure> {
    let output = start.output(Form::People);
    match wish {
        Config::Path => output.line(start.config.path().display()),
        Config::Schema => schema(&output),
        Config::Show => {
            let overrides = start.overrides();
            let resolved = start.config.load(&overrides)?;
            output.line(config::show(&resolved.effective, &start.config))
        }
        Config::Check => {
            let overrides = start.overrides();
            let settings = start.config.load(&overrides)?.settings;
            output.line(start.config.verdict())?;
            for doubt in settings.costs.doubts(&settings.agents) {
                output.line(format_args!("note: {doubt}"))?;
            }
            Ok(())
        }
    }
}

/// A schema is read by programs and by people, so it is spread out wherever it goes.
fn schema(output: &Output) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&config::schema());
    output.line(text.unwrap_or_default())
}
