//! The task list of a conversation: what its agent set out to do, and how far it is.
//!
//! The list belongs to the conversation: it is there in later turns, after a restart and where the conversation
//! goes on after a summary. Each call of the tool says the whole list, or the tasks that changed; saying the same
//! again changes nothing, so a call that was cut off is simply made again.
//!
//! Where the list is kept, and who is shown it, is not said here.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::limits;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What it is known by in its list.
    pub id: String,
    /// What is to be done.
    pub content: String,
    /// How far it is.
    pub status: Status,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nobody has begun.
    #[default]
    Pending,
    /// Somebody is at it.
    InProgress,
    /// It is done.
    Completed,
    /// It is not to be done any more.
    Cancelled,
}

impl Status {
    /// The names, as calls and answers have them.
    pub const NAMES: [&str; 4] = ["pending", "in_progress", "completed", "cancelled"];

    /// The name used in calls, answers and rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The status of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Pending,
            Self::InProgress,
            Self::Completed,
            Self::Cancelled,
        ];
        all.into_iter().find(|status| status.name() == name)
    }
}

/// A task as it was said. What was left out is as before, or the usual.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// What it is known by. Unless said, it is known by its words if it is in the list, and gets a number if not.
    pub id: Option<String>,
    /// What is to be done.
    pub content: Option<String>,
    /// How far it is.
    pub status: Option<Status>,
}

/// What a call says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saying {
    /// The whole list: what is not in it is forgotten.
    Whole,
    /// What changed: a task that is there is changed, another is added.
    Changes,
}

/// Why a list cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unkept {
    /// There are too many.
    #[error("a list has at most {most} tasks; this would have {0}", most = limits::TASKS_MAX)]
    TooMany(usize),
    /// A task says nothing.
    #[error("the task `{0}` says nothing: give it a `content`")]
    Empty(String),
    /// A task says too much.
    #[error(
        "a task has at most {most} characters, and its id {id}; `{0}` has more",
        most = limits::TASK_CHARS_MAX,
        id = limits::TASK_ID_CHARS_MAX
    )]
    TooLong(String),
    /// Two tasks cannot be told apart.
    #[error("two tasks have the id `{0}`; give each its own")]
    Twice(String),
}

/// The list after something was said about it.
///
/// # Errors
/// It cannot be kept; the list stays as it was.
pub fn told(before: &[Task], said: Vec<Said>, saying: Saying) -> Result<Vec<Task>, Unkept> {
    let mut list: Vec<Task> = match saying {
        Saying::Whole => Vec::new(),
        Saying::Changes => before.to_vec(),
    };
    let named: BTreeSet<String> = said.iter().filter_map(|one| one.id.clone()).collect();
    let mut ids = BTreeSet::new();
    for one in said {
        let known = known(before, &one);
        let id = match (&one.id, saying, known) {
            (Some(id), _, _) => id.clone(),
            (None, Saying::Changes, Some(task)) => task.id.clone(),
            (None, Saying::Whole, _) | (None, Saying::Changes, None) => free(&list, &named),
        };
        if !ids.insert(id.clone()) {
            return Err(Unkept::Twice(shown(&id)));
        }
        let task = merged(id, known, one)?;
        match list.iter_mut().find(|other| other.id == task.id) {
            Some(place) => *place = task,
            None => list.push(task),
        }
    }
    match list.len() > limits::TASKS_MAX {
        true => Err(Unkept::TooMany(list.len())),
        false => Ok(list),
    }
}

/// The task of the list that is meant: by its id, or else by its words.
fn known<'t>(before: &'t [Task], said: &Said) -> Option<&'t Task> {
    let content = said.content.as_deref().map(str::trim);
    let is_meant = |task: &&Task| match &said.id {
        Some(id) => task.id == *id,
        None => Some(task.content.as_str()) == content,
    };
    before.iter().find(is_meant)
}

/// The next number that no task has.
fn free(list: &[Task], named: &BTreeSet<String>) -> String {
    let is_free = |id: &String| !named.contains(id) && list.iter().all(|task| task.id != *id);
    let mut numbers = (list.len() + 1..).map(|number| number.to_string());
    numbers.find(is_free).unwrap_or_default()
}

fn merged(id: String, known: Option<&Task>, said: Said) -> Result<Task, Unkept> {
    let content = said
        .content
        .or_else(|| known.map(|task| task.content.clone()));
    let content = content.unwrap_or_default().trim().to_owned();
    if content.is_empty() {
        return Err(Unkept::Empty(shown(&id)));
    }
    let is_long = |text: &str, most| text.chars().nth(most).is_some();
    if is_long(&content, limits::TASK_CHARS_MAX) || is_long(&id, limits::TASK_ID_CHARS_MAX) {
        return Err(Unkept::TooLong(shown(&id)));
    }
    let status = said.status.or_else(|| known.map(|task| task.status));
    Ok(Task {
        id,
        content,
        status: status.unwrap_or_default(),
    })
}

fn shown(id: &str) -> String {
    id.chars().take(limits::TASK_ID_CHARS_MAX).collect()
}

#[cfg(test)]
#[path = "todo_tests.rs"]
mod tests;
