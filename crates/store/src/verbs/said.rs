//! Between a row of the transcript and what was said in it.
//!
//! `text` has the words of every row. What else a row has stands in `body` as JSON with a version, under
//! the names of `Entry`, and only as far as it is there: plain words have no body. Content that is a list
//! or a mapping is kept there as it came, so no text has to say that it is none.

use angelia_core::media::{MediaId, Picture};
use angelia_core::time::Timestamp;
use angelia_core::transcript::entry::{
    Attention, Content, Entry, Finish, Role, ToolCall, Visibility,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{media, rows};
use crate::database::fault::Fault;
use crate::database::row::{Cell, Row};
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::transcripts::{Kept, Said};

/// Who may see a row, as it is stored.
const VISIBLE: &str = "visible";
const HIDDEN: &str = "hidden";
const ARCHIVED: &str = "archived";

/// What a row is that begins no turn, as it is stored.
const ALONG: &str = "along";
const OBSERVED: &str = "observed";

/// What a row has beside its words.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Beside {
    #[serde(skip_serializing_if = "Shape::is_text")]
    content: Shape,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pictures: Vec<Picture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolCall>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform_message_id: Option<String>,
    #[serde(skip_serializing_if = "is_done")]
    finish: Finish,
    #[serde(skip_serializing_if = "Map::is_empty")]
    reasoning: Map<String, Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    continuation: Map<String, Value>,
}

/// What kind of content the words stand for.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    #[default]
    Text,
    Nothing,
    Structured(Value),
}

impl Shape {
    fn is_text(&self) -> bool {
        *self == Self::Text
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a condition for leaving a field out is given a reference"
)]
fn is_done(finish: &Finish) -> bool {
    *finish == Finish::Done
}

/// A row as it is stored; made by the caller, not by the one thread that writes.
#[derive(Debug, PartialEq)]
pub(super) struct Stored {
    at: Option<Timestamp>,
    role: String,
    attention: Option<&'static str>,
    visibility: &'static str,
    name: Option<String>,
    message: Option<String>,
    /// The message whose long words these are, instead of a text.
    pub(super) long: Option<i64>,
    text: String,
    body: Option<String>,
    /// The pictures that it refers to.
    media: Vec<MediaId>,
}

impl Stored {
    /// The stored form of new rows; they are visible, whatever they were before.
    pub(super) fn all(rows: Vec<Said>) -> Result<Vec<Self>, Fault> {
        let mut rows = Self::as_marked(rows)?;
        rows.iter_mut().for_each(|row| row.visibility = VISIBLE);
        Ok(rows)
    }

    /// The stored form of new rows, each seen by whom it says.
    pub(super) fn as_marked(rows: Vec<Said>) -> Result<Vec<Self>, Fault> {
        rows.into_iter().map(Self::of).collect()
    }

    /// The stored form of a new row.
    pub(super) fn of(said: Said) -> Result<Self, Fault> {
        let Said { entry, name, key } = said;
        let (text, content) = match entry.content {
            Content::Text(text) => (text, Shape::Text),
            Content::Nothing => (String::new(), Shape::Nothing),
            Content::Structured(_) => (
                entry.content.plain_text(),
                Shape::Structured(entry.content.into()),
            ),
        };
        let media = entry.pictures.iter().map(|picture| picture.id).collect();
        let beside = Beside {
            content,
            pictures: entry.pictures,
            tool_calls: entry.tool_calls,
            tool_call_id: entry.tool_call_id,
            tool_name: entry.tool_name,
            platform_message_id: entry.platform_message_id,
            finish: entry.finish,
            reasoning: entry.reasoning,
            continuation: entry.continuation,
        };
        let plain = beside == Beside::default();
        Ok(Self {
            at: entry.at,
            role: entry.role.into(),
            attention: match entry.attention {
                Attention::Addressed => None,
                Attention::Along => Some(ALONG),
                Attention::Observed => Some(OBSERVED),
            },
            visibility: match entry.visibility {
                Visibility::Visible => VISIBLE,
                Visibility::Rewound => HIDDEN,
                Visibility::Compacted => ARCHIVED,
            },
            name,
            message: key.map(|key| key.as_str().to_owned()),
            long: None,
            text,
            media,
            body: (!plain).then(|| rows::versioned(&beside)).transpose()?,
        })
    }

    /// Whether it was said while its turn ran.
    pub(super) fn is_along(&self) -> bool {
        self.attention == Some(ALONG)
    }

    /// This row where the other one stands, seen by the same people.
    pub(super) fn in_place_of(self, other: &Self) -> Self {
        Self {
            attention: other.attention,
            visibility: other.visibility,
            ..self
        }
    }

    /// Whether the row at this place of the transcript says the same.
    pub(super) fn says_the_same(&self, row: &Row<'_>) -> Result<bool, Fault> {
        Ok(self.role == row.get::<String>(0)?
            && self.text == row.get::<String>(1)?
            && self.body == row.get::<Option<String>>(2)?)
    }
}

/// A row's number as it is stored; one that no row can have is behind all rows.
pub(super) fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

/// Where new rows go.
pub(super) struct Place {
    pub(super) session: i64,
    /// The number of the last row.
    pub(super) last: i64,
    pub(super) turn: Option<i64>,
}

/// Writes rows behind the last one, those whose message is known left out; returns how many are new and
/// moves the place on. The caller notes the last number with the session.
pub(super) fn write(tx: &Tx<'_>, place: &mut Place, rows: &[Stored]) -> Result<usize, Fault> {
    let before = place.last;
    for row in rows {
        let at = row.at.unwrap_or(tx.now()).ms();
        let added = tx.run(
            "INSERT INTO transcript (session, seq, turn, at, role, attention, visibility, name, message, \
             text, body, long) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) \
             ON CONFLICT (session, message) WHERE message IS NOT NULL DO NOTHING",
            params![
                place.session,
                place.last + 1,
                place.turn,
                at,
                row.role,
                row.attention,
                row.visibility,
                row.name,
                row.message,
                row.text,
                row.body,
                row.long
            ],
        )?;
        place.last += i64::from(added > 0);
        media::refer(tx, place.session, &row.media)?;
    }
    Ok(usize::try_from(place.last - before).unwrap_or(0))
}

/// Selects rows as [`kept`] reads them; the argument says which. SQLite copies every text that is taken
/// out of a row, so what nearly all rows have in common comes as a number or not at all.
macro_rules! kept_sql {
    ($which:literal) => {
        concat!(
            "SELECT seq, at, CASE role WHEN 'user' THEN 0 WHEN 'assistant' THEN 1 ELSE role END, \
             attention, nullif(visibility, 'visible'), name, ",
            $crate::verbs::long::words_sql!("transcript"),
            ", body FROM transcript ",
            $which
        )
    };
}
pub(super) use kept_sql;

/// A row of `kept_sql!`. Whole conversations are read by it, so a plain row makes nothing but its text.
pub(super) fn kept(row: &Row<'_>) -> Result<Kept, Fault> {
    let mut entry = Entry {
        role: role(row)?,
        content: Content::Text(row.get(6)?),
        pictures: Vec::new(),
        tool_calls: Vec::new(),
        tool_call_id: None,
        tool_name: None,
        platform_message_id: None,
        attention: attention(row)?,
        at: Some(rows::time(row, 1)?),
        finish: Finish::Done,
        reasoning: Map::new(),
        continuation: Map::new(),
        visibility: if row.get_ref(4)? == Cell::Null {
            Visibility::Visible
        } else {
            visibility(row, 4)?
        },
    };
    if row.get_ref(7)? != Cell::Null {
        complete(&mut entry, rows::body(row, 7)?);
    }
    Ok(Kept {
        seq: row.get::<i64>(0)?.unsigned_abs(),
        name: row.get(5)?,
        entry,
    })
}

fn complete(entry: &mut Entry, beside: Beside) {
    match beside.content {
        Shape::Text => {}
        Shape::Nothing => entry.content = Content::Nothing,
        Shape::Structured(value) => entry.content = Content::from(value),
    }
    entry.pictures = beside.pictures;
    entry.tool_calls = beside.tool_calls;
    entry.tool_call_id = beside.tool_call_id;
    entry.tool_name = beside.tool_name;
    entry.platform_message_id = beside.platform_message_id;
    entry.finish = beside.finish;
    entry.reasoning = beside.reasoning;
    entry.continuation = beside.continuation;
}

fn role(row: &Row<'_>) -> Result<Role, Fault> {
    let role = row.get_ref(2)?;
    if let Cell::Number(number) = role {
        return Ok(if number == 0 {
            Role::User
        } else {
            Role::Assistant
        });
    }
    Ok(Role::from(role.as_str()?.to_owned()))
}

fn attention(row: &Row<'_>) -> Result<Attention, Fault> {
    let text = row.get_ref(3)?.as_str_or_null();
    Ok(match text? {
        None => Attention::Addressed,
        Some(ALONG) => Attention::Along,
        Some(_) => Attention::Observed,
    })
}

/// Who may see a row.
pub(super) fn visibility(row: &Row<'_>, column: usize) -> Result<Visibility, Fault> {
    match row.get_ref(column)?.as_str()? {
        VISIBLE => Ok(Visibility::Visible),
        HIDDEN => Ok(Visibility::Rewound),
        ARCHIVED => Ok(Visibility::Compacted),
        other => Err(rows::undecodable(format!("a row is `{other}`"))),
    }
}

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;
