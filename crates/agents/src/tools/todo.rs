//! The tool for the conversation's list of tasks.
//!
//! One call shows the list or says it anew; what comes of it is decided in `core::todo`, where it is kept is the
//! gateway's business (`Past`). It belongs to the conversation, so a crash, a summary and the next turn leave it as
//! it is.

use angelia_core::todo::{self, Said, Saying, Status, Task};
use serde_json::{Value, json};

use super::Toolbox;
use super::form::{Argument, Form, Given, Kind};
use crate::events::Ended;

/// What the tool takes.
pub(crate) const FORM: Form = Form {
    name: "todo",
    family: "todo",
    about: "Keeps the list of tasks of this conversation. Use it for work of several steps: write the steps down first, \
            set one at a time to in_progress, and set it to completed as soon as it is done. Without arguments it \
            shows the list; look there when you have lost track.",
    required: &[],
    arguments: &[
        Argument {
            name: "todos",
            kind: Kind::Tasks,
            about: "The tasks. All of them, in order, unless `merge` is true.",
        },
        Argument {
            name: "merge",
            kind: Kind::Flag,
            about: "Only the tasks given are changed, by their ids, or added; the others stay.",
        },
    ],
};

/// What is asked of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    /// To be shown.
    Show,
    /// To be as said.
    Tell(Vec<Said>, Saying),
}

/// Reads a call.
pub(super) fn ask(given: &Given) -> Ask {
    let Some(tasks) = given.list("todos") else {
        return Ask::Show;
    };
    let saying = match given.flag("merge") {
        true => Saying::Changes,
        false => Saying::Whole,
    };
    Ask::Tell(tasks.iter().map(said).collect(), saying)
}

fn said(task: &Value) -> Said {
    let text = |name: &str| task.get(name).and_then(Value::as_str);
    Said {
        // What is known by nothing has no id.
        id: text("id").filter(|id| !id.is_empty()).map(str::to_owned),
        content: text("content").map(str::to_owned),
        status: text("status").and_then(Status::named),
    }
}

impl Toolbox<'_> {
    /// Shows the list, or keeps what is said of it.
    pub(super) async fn tasks(&self, ask: Ask) -> Result<Value, Ended> {
        let past = &self.input.past;
        let before = match past.tasks().await {
            Ok(before) => before,
            Err(why) => return Ok(json!({ "error": why.to_string() })),
        };
        let (said, saying) = match ask {
            Ask::Show => return Ok(shown(&before)),
            Ask::Tell(said, saying) => (said, saying),
        };
        let after = match todo::told(&before, said, saying) {
            Ok(after) => after,
            Err(why) => return Ok(json!({ "error": why.to_string() })),
        };
        let told = shown(&after);
        if after != before {
            past.keep_tasks(after).await?;
        }
        Ok(told)
    }
}

fn shown(tasks: &[Task]) -> Value {
    let count = |status| tasks.iter().filter(|task| task.status == status).count();
    json!({
        "todos": tasks,
        "summary": {
            "total": tasks.len(),
            "pending": count(Status::Pending),
            "in_progress": count(Status::InProgress),
            "completed": count(Status::Completed),
            "cancelled": count(Status::Cancelled),
        },
    })
}

#[cfg(test)]
#[path = "todo_tests.rs"]
mod tests;
