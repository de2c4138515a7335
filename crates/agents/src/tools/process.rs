//! The process tool: starts a command in the background.
//!
//! Starting is keyed by the call, so a call that was cut off is simply made again: it finds what it
//! started, or starts it now. What comes of it is the id of the process and how to look at it.

use angelia_core::recovery::EffectClass;
use angelia_core::turn::journal::{self, Progress, Step};

use crate::background::{Background, NotStarted, Wish};
use crate::events::Ended;
use crate::tools::Call;

/// The tool's name in the journal.
const NAME: &str = "process";

/// Starts what is wished for, unless the journal says what came of it.
pub(crate) async fn start(
    call: &Call<'_>,
    background: &dyn Background,
    wish: Wish,
) -> Result<String, Ended> {
    match journal::progress(call.journal, call.name) {
        Progress::Finished(output) => return Ok(output),
        Progress::Begun(_) => (),
        Progress::Unbegun => call.events.record(begun(call, &wish)).await?,
    }
    let output = match background.start(wish).await {
        Ok(id) => format!("Started {id}. `angelia processes log {id}` shows what it says."),
        Err(NotStarted::Refused(why)) => why,
        Err(NotStarted::Ended) => return Err(Ended),
    };
    let step = Step::ToolFinished {
        call: call.name.to_owned(),
        output: output.clone(),
    };
    call.events.record(step).await?;
    Ok(output)
}

fn begun(call: &Call<'_>, wish: &Wish) -> Step {
    Step::ToolBegun {
        call: call.name.to_owned(),
        tool: NAME.to_owned(),
        arguments: serde_json::json!({ "action": "start", "command": wish.command }),
        effect: EffectClass::Keyed,
    }
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
