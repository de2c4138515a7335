//! `angelia sessions list`.

use angelia_api::client::{Listing, Rows};
use angelia_api::wire::v1::page::Page;
use angelia_api::wire::v1::session::{LifeChoice, Session, SessionState};
use angelia_core::time::Timestamp;
use angelia_gateway::env;

use super::{Desk, place, state};
use crate::args::sessions::{Life, List};
use crate::errors::Failure;
use crate::output::table::{Cell, Table, cut};
use crate::output::{Form, Output, Paint, Screen, time};

/// How much of a place and of a name a terminal shows, in columns.
const NAME_COLUMNS: usize = 16;

/// The fewest letters of an id that a terminal shows: its kind and the moment it was made.
const ID_LETTERS_MIN: usize = 16;

pub(super) fn run(desk: &Desk<'_>, wish: List) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let listing = Listing {
        platform: wish.platform,
        chat: wish.chat,
        life: Some(match wish.life {
            Life::All => LifeChoice::All,
            Life::Live => LifeChoice::Live,
            Life::Ended => LifeChoice::Ended,
        }),
        text: wish.text,
        rows: Rows::from(wish.rows),
    };
    let page = desk.ask(desk.client.sessions(&listing))?;
    if output.form == Form::Json {
        return output.json(&page);
    }
    if page.items.is_empty() {
        return output.line(nothing(&listing));
    }
    table(&output, &page, env::system_now()).print(&output)?;
    more(&output, page.next.as_deref())
}

fn nothing(listing: &Listing) -> &'static str {
    let narrowed = listing.text.is_some()
        || listing.platform.is_some()
        || listing.chat.is_some()
        || listing.life != Some(LifeChoice::All)
        || listing.rows.after.is_some();
    if narrowed {
        "no conversation is like that; `angelia sessions list` shows all"
    } else {
        "no conversations yet; begin one with `angelia chat`"
    }
}

fn table(output: &Output, page: &Page<Session>, now: Timestamp) -> Table {
    let ids: Vec<String> = page.items.iter().map(|one| one.id.to_string()).collect();
    let letters = telling_apart(&ids);
    let mut table = Table::new(["session", "where", "who", "active", "last words"]);
    for (session, id) in page.items.iter().zip(&ids) {
        let shown = |text: String, room: usize| match output.screen() {
            Screen::Terminal { .. } => cut(&text, room),
            Screen::None => text,
        };
        let id = match output.screen() {
            Screen::Terminal { .. } => id.get(..letters).unwrap_or(id),
            Screen::None => id,
        };
        let paint = if session.title.is_some() {
            Paint::Strong
        } else {
            Paint::Plain
        };
        table.row([
            id.into(),
            shown(place(session), NAME_COLUMNS).into(),
            Cell::new(paint, shown(session.name().to_owned(), NAME_COLUMNS)),
            activity(session, now),
            Cell::new(Paint::Faint, &session.preview),
        ]);
    }
    table
}

/// What it does now, or how long ago it did something.
fn activity(session: &Session, now: Timestamp) -> Cell {
    let rests = session.state == SessionState::Idle
        && session.ended_at.is_none()
        && session.suspended_at.is_none();
    if rests {
        time::relative(now, session.active_at.0).into()
    } else {
        state(session)
    }
}

/// How many letters tell these ids apart, and a few more, as others may follow.
fn telling_apart(ids: &[String]) -> usize {
    let mut sorted: Vec<&String> = ids.iter().collect();
    sorted.sort();
    let shared = |pair: &[&String]| {
        let (one, other) = (pair[0].bytes(), pair[1].bytes());
        one.zip(other).take_while(|(a, b)| a == b).count()
    };
    let most = sorted.windows(2).map(shared).max().unwrap_or_default();
    (most + 1).max(ID_LETTERS_MIN)
}

/// How to read on, if there is more.
pub(crate) fn more(output: &Output, next: Option<&str>) -> Result<(), Failure> {
    match next {
        Some(cursor) => {
            output.line(output.paint(Paint::Faint, &format!("more: add `--after {cursor}`")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_shown_as_long_as_they_must_be_to_differ() {
        let ids = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(telling_apart(&ids(&["ses_01k9zq3m5t8v2c4d6f7g"])), 16);
        let near = ids(&["ses_01k9zq3m5t8v2c4d6f7g", "ses_01k9zq3m5t8v2c4x6f7g"]);
        assert_eq!(telling_apart(&near), 20);
    }
}
