//! The order of roles, made valid.
//!
//! 1. Rows of no known role go: no model takes them.
//! 2. Neighbouring assistant rows become one, so that calls which were asked for together are answered
//!    together.
//! 3. Each tool's row moves behind the nearest call before it that has its id and no answer yet; a row
//!    that answers nothing goes. A call that nobody answered gets a row which says so, because
//!    providers refuse a call without a result and the model should know that it has none. Assistant rows that
//!    neither say nor ask for anything go: no model takes them.
//! 4. Neighbours that the third step brought together become one: assistant rows, then a person's rows.
//!
//! A person's rows are never dropped, and what was overheard is never joined with what was said to the
//! agent, for then nobody could tell them apart again. Rows that a provider continues from are left
//! exactly as they are.

use super::entry::{Attention, Content, Entry, Finish, Role, ToolCall};

const NO_RESULT: &str = "No result was recorded: the turn ended before this tool had answered.";

pub(super) fn repair(mut rows: Vec<Entry>) -> Vec<Entry> {
    rows.retain(|row| !matches!(row.role, Role::Other(_)));
    let mut rows = pair(merge(rows, assistants_join, join_assistants));
    rows.retain(|row| !is_empty_answer(row));
    let rows = merge(rows, assistants_join, join_assistants);
    merge(rows, users_join, join_users)
}

/// Joins neighbours as long as any two of them may be one.
fn merge(
    rows: Vec<Entry>,
    may: fn(&Entry, &Entry) -> bool,
    join: fn(Entry, Entry) -> Entry,
) -> Vec<Entry> {
    let mut merged: Vec<Entry> = Vec::with_capacity(rows.len());
    for mut row in rows {
        while let Some(last) = merged.pop_if(|last| may(last, &row)) {
            row = join(last, row);
        }
        merged.push(row);
    }
    merged
}

/// Whether it is an answer with nothing in it. Thoughts alone are none, unless the provider goes on from them.
fn is_empty_answer(row: &Entry) -> bool {
    let says_nothing = row
        .content
        .as_plain()
        .is_some_and(|text| text.trim().is_empty());
    let is_bare = row.tool_calls.is_empty() && row.pictures.is_empty();
    row.role == Role::Assistant && row.finish == Finish::Done && says_nothing && is_bare
}

fn assistants_join(earlier: &Entry, later: &Entry) -> bool {
    let both = earlier.role == Role::Assistant && later.role == Role::Assistant;
    let replaced = earlier.finish == Finish::Provisional;
    both && (replaced || (may_change(earlier) && may_change(later)))
}

/// Whether the row may become part of another.
fn may_change(row: &Entry) -> bool {
    row.finish == Finish::Done && row.continuation.is_empty() && row.content.as_plain().is_some()
}

fn join_assistants(mut earlier: Entry, later: Entry) -> Entry {
    if earlier.finish == Finish::Provisional {
        return later;
    }
    earlier.content = joined(earlier.content, later.content, "\n");
    earlier.pictures.extend(later.pictures);
    earlier.tool_calls.extend(later.tool_calls);
    for (name, value) in later.reasoning {
        earlier.reasoning.entry(name).or_insert(value);
    }
    earlier.platform_message_id = earlier.platform_message_id.or(later.platform_message_id);
    earlier
}

fn users_join(earlier: &Entry, later: &Entry) -> bool {
    let both = earlier.role == Role::User && later.role == Role::User;
    let plain = earlier.content.as_plain().is_some() && later.content.as_plain().is_some();
    both && plain && is_overheard(earlier) == is_overheard(later)
}

fn is_overheard(row: &Entry) -> bool {
    row.attention == Attention::Observed
}

fn join_users(mut earlier: Entry, later: Entry) -> Entry {
    earlier.content = joined(earlier.content, later.content, "\n\n");
    earlier.pictures.extend(later.pictures);
    earlier.platform_message_id = earlier.platform_message_id.or(later.platform_message_id);
    earlier
}

/// Both texts with something between them, unless one of them is empty.
fn joined(earlier: Content, later: Content, between: &str) -> Content {
    match (earlier, later) {
        (Content::Text(first), Content::Text(second))
            if !first.is_empty() && !second.is_empty() =>
        {
            Content::Text([first, second].join(between))
        }
        (Content::Nothing, later) => later,
        (Content::Text(first), later @ Content::Text(_)) if first.is_empty() => later,
        (earlier, _) => earlier,
    }
}

/// A row, with the results of its calls as far as they are known.
struct Placed {
    row: Entry,
    unanswered: Vec<ToolCall>,
    results: Vec<Entry>,
}

impl Placed {
    /// A call without any id cannot be answered, so it cannot be asked either.
    fn new(mut row: Entry) -> Self {
        row.tool_calls.retain(|call| call.id().is_some());
        Self {
            unanswered: row.tool_calls.clone(),
            results: Vec::new(),
            row,
        }
    }

    /// The place of the first call that still waits for a result with this id.
    fn waiting(&self, id: &str) -> Option<usize> {
        let mut calls = self.unanswered.iter();
        calls.position(|call| call.answers_to(id))
    }

    fn rows(self) -> impl Iterator<Item = Entry> {
        let at = self.row.at;
        let missing = self.unanswered.into_iter().map(move |call| Entry {
            at,
            ..no_result(&call)
        });
        std::iter::once(self.row).chain(self.results).chain(missing)
    }
}

fn pair(rows: Vec<Entry>) -> Vec<Entry> {
    let mut placed: Vec<Placed> = Vec::with_capacity(rows.len());
    for row in rows {
        if row.role == Role::Tool {
            answer(&mut placed, row);
        } else {
            placed.push(Placed::new(row));
        }
    }
    placed.into_iter().flat_map(Placed::rows).collect()
}

/// Puts a result behind its call; one without a call is not kept.
fn answer(placed: &mut [Placed], result: Entry) {
    let Some(id) = result.tool_call_id.as_deref() else {
        return;
    };
    let mut nearest_first = placed.iter_mut().rev();
    let found = nearest_first.find_map(|asked| asked.waiting(id).map(|call| (asked, call)));
    if let Some((asked, call)) = found {
        asked.unanswered.remove(call);
        asked.results.push(result);
    }
}

fn no_result(call: &ToolCall) -> Entry {
    Entry {
        tool_call_id: call.id().map(str::to_owned),
        tool_name: call.name().map(str::to_owned),
        ..Entry::new(Role::Tool, NO_RESULT)
    }
}
