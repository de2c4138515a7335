//! Which conversation a message at the door goes into.
//!
//! `find` reads the conversation that the place speaks in, how it stands, and asks `core` whether it
//! goes on; one statement for nearly every message. `enter` does what `find` found out, once it is
//! certain that the message is new: begin the first conversation of a place, begin anew in the place of
//! another, or mend a conversation that ended by accident or goes on elsewhere.

use angelia_core::command;
use angelia_core::id::SessionId;
use angelia_core::inbound::Inbound;
use angelia_core::limits;
use angelia_core::session::key::Route;
use angelia_core::session::lifecycle::{self, Because, Next, Standing, Unanswered};
use angelia_core::session::news::News;
use angelia_core::session::origin::Origin;
use angelia_core::session::reset::ResetPolicy;
use angelia_core::session::reset::notice::Past;
use angelia_core::text;
use angelia_core::transcript::ending::{Life, Reason};

use super::intake::Arrival;
use super::sessions::begin::{self, Came};
use super::sessions::find::past;
use super::sessions::standing::{STANDING_COLUMNS, standing, standing_sql};
use super::{hold, ready, rows};
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::{Engine, Tx};
use crate::database::value::{Params, params};

/// A conversation's row.
pub(super) struct Session {
    pub(super) seq: i64,
    pub(super) id: SessionId,
    pub(super) waiting: usize,
    /// Whether the next message that arrives is the next to be claimed.
    pub(super) rests: bool,
}

impl Session {
    /// The state of a message that comes to it now.
    pub(super) const fn next_state(&self) -> &'static str {
        if self.rests {
            ready::NEXT
        } else {
            ready::WAITING
        }
    }
}

/// What a place speaks in.
pub(super) enum Found {
    /// Nothing yet.
    Nothing,
    /// A conversation that goes on as it is.
    GoesOn(Session),
    /// One that goes on, once it is reopened and the place is led to it.
    Mend(Session),
    /// One that does not go on.
    Anew(Session, Because),
}

impl Found {
    /// How many messages wait where the message will go.
    pub(super) fn waiting(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::GoesOn(session) | Self::Mend(session) | Self::Anew(session, _) => session.waiting,
        }
    }
}

/// The conversation that the scope speaks in, and whether it goes on.
pub(super) fn find(tx: &Tx<'_>, arrival: &Arrival, route: &Route) -> Result<Found, Fault> {
    hold::place(tx, route.scope.as_str())?;
    let Some((session, standing)) = routed_or_begun(tx, route)? else {
        return Ok(Found::Nothing);
    };
    if standing.life == Life::Ended(Reason::Compression)
        && let Some((tip, standing)) = tip(tx, session.seq)?
    {
        // Compacting leads every place along. What was brought here otherwise is found all the same,
        // and decided on where it goes on, not where it was.
        return Ok(match next(tx, arrival, &standing) {
            Next::Anew(because) => Found::Anew(tip, because),
            Next::Continue | Next::Resume(_) => Found::Mend(tip),
        });
    }
    Ok(found(tx, arrival, session, &standing))
}

/// What becomes of a conversation that was not compacted, now that the message comes.
pub(super) fn found(
    tx: &Tx<'_>,
    arrival: &Arrival,
    session: Session,
    standing: &Standing,
) -> Found {
    match next(tx, arrival, standing) {
        Next::Anew(because) => Found::Anew(session, because),
        Next::Continue | Next::Resume(_) if standing.life == Life::Live => Found::GoesOn(session),
        Next::Continue | Next::Resume(_) => Found::Mend(session),
    }
}

fn next(tx: &Tx<'_>, arrival: &Arrival, standing: &Standing) -> Next {
    let rules = &arrival.message.rules;
    lifecycle::decide(standing, policy(arrival), rules, tx.now())
}

/// When conversations of the place begin anew.
pub(super) fn policy(arrival: &Arrival) -> &ResetPolicy {
    let address = &arrival.message.inbound.address;
    let resets = &arrival.message.rules.resets;
    resets.at(address.platform.name(), address.chat.kind.name())
}

/// Selects a session and its standing; the argument says where from.
macro_rules! session_sql {
    ($from:literal) => {
        concat!(
            "SELECT s.seq, s.id, \
             (SELECT count(*) FROM inbox i WHERE i.session = s.seq AND i.state = 'next') \
             + (SELECT count(*) FROM inbox i WHERE i.session = s.seq AND i.state = 'waiting'), ",
            standing_sql!(),
            $from
        )
    };
}

fn routed(tx: &Tx<'_>, route: &Route) -> Result<Option<(Session, Standing)>, Fault> {
    let sql =
        session_sql!(" FROM routes r JOIN sessions s ON s.seq = r.session WHERE r.scope = ?1");
    read(tx, sql, [route.scope.as_str()])
}

/// The conversations that the scopes of a list speak in, each held with its place.
pub(super) fn at_all(tx: &Tx<'_>, scopes: &str) -> Result<Vec<(String, Session, Standing)>, Fault> {
    hold::places(tx, scopes)?;
    // Each by itself, as if it had been asked for alone: seen as one question, the server reads all that waits anywhere.
    let sql = concat!(
        "SELECT f.* FROM json_array_elements_text(CAST(?1 AS json)) AS n (scope), LATERAL (",
        session_sql!(
            ", r.scope FROM routes r JOIN sessions s ON s.seq = r.session WHERE r.scope = n.scope OFFSET 0"
        ),
        ") f"
    );
    tx.all(sql, [scopes], |row| {
        let (session, standing) = routed_row(row)?;
        Ok((row.get(3 + STANDING_COLUMNS)?, session, standing))
    })
}

/// The same again, where there is none: somebody may be about to begin one, and there is no row to hold.
fn routed_or_begun(tx: &Tx<'_>, route: &Route) -> Result<Option<(Session, Standing)>, Fault> {
    let found = routed(tx, route)?;
    if found.is_some() || tx.engine() == Engine::Sqlite {
        return Ok(found);
    }
    hold::named(tx, &format!("scope/{}", route.scope.as_str()))?;
    hold::place(tx, route.scope.as_str())?;
    routed(tx, route)
}

fn read(tx: &Tx<'_>, sql: &str, which: impl Params) -> Result<Option<(Session, Standing)>, Fault> {
    tx.one(sql, which, routed_row)
}

/// A session and its standing from the columns of `session_sql!`.
fn routed_row(row: &Row<'_>) -> Result<(Session, Standing), Fault> {
    let standing = standing(row, 3)?;
    let session = Session {
        seq: row.get(0)?,
        id: rows::parsed(row, 1)?,
        waiting: row.get::<u32>(2)? as usize,
        rests: standing.work.unanswered == Unanswered::Nothing,
    };
    Ok((session, standing))
}

/// Where a conversation that was compacted goes on: the newest continuation, and so forth. Sessions are
/// older than what continues them, so the walk ends.
fn tip(tx: &Tx<'_>, from: i64) -> Result<Option<(Session, Standing)>, Fault> {
    let onward = session_sql!(
        " FROM sessions s WHERE s.parent = ?1 AND s.link = 'continuation' AND s.seq > ?1 \
         ORDER BY s.end_reason IS NOT DISTINCT FROM 'compression' DESC, s.ended_at IS NULL DESC, s.seq DESC LIMIT 1"
    );
    let mut tip = None;
    let mut at = from;
    let continuations =
        "SELECT seq FROM sessions WHERE parent = ?1 AND link = 'continuation' /* hold */";
    tx.hold(continuations, [at])?;
    while let Some(next) = read(tx, onward, [at])? {
        tx.hold(continuations, [next.0.seq])?;
        at = next.0.seq;
        tip = Some(next);
    }
    Ok(tip)
}

/// The conversation that the message goes into, as it was found.
pub(super) fn enter(
    tx: &Tx<'_>,
    arrival: &Arrival,
    route: &Route,
    found: Found,
) -> Result<Session, Fault> {
    match found {
        Found::GoesOn(session) => Ok(session),
        Found::Nothing => {
            let session = begin(tx, arrival, route, None)?;
            begin::lead(tx, route.scope.as_str(), session.seq, Came::First)?;
            Ok(session)
        }
        Found::Mend(session) => {
            begin::reopen(tx, session.seq)?;
            lead_along(tx, route, &session)?;
            Ok(session)
        }
        Found::Anew(earlier, because) => {
            let news = news(tx, arrival, &earlier, because)?;
            let session = begin(tx, arrival, route, news)?;
            let came = Came::Anew(because.reason());
            begin::lead(tx, route.scope.as_str(), session.seq, came)?;
            begin::leave(tx, earlier.seq, because.reason())?;
            ready::follow(tx, earlier.seq, session.seq)?;
            // Those who wait there were before this message, and are answered before it.
            ready::go_along(tx, earlier.seq, session.seq)?;
            let waiting = ready::waiting(tx, session.seq)?;
            Ok(Session {
                waiting,
                rests: waiting == 0,
                ..session
            })
        }
    }
}

/// Leads the place to where its conversation goes on, if it was not led there before.
fn lead_along(tx: &Tx<'_>, route: &Route, session: &Session) -> Result<(), Fault> {
    let there = "SELECT EXISTS (SELECT 1 FROM routes WHERE scope = ?1 AND session = ?2)";
    let scope = route.scope.as_str();
    if tx.number(there, params![scope, session.seq])? == 0 {
        begin::lead(tx, scope, session.seq, Came::Continued)?;
    }
    Ok(())
}

/// What the new conversation has to tell about the earlier one.
fn news(
    tx: &Tx<'_>,
    arrival: &Arrival,
    earlier: &Session,
    because: Because,
) -> Result<Option<News>, Fault> {
    let Because::Itself(cause) = because else {
        return Ok(None);
    };
    let answered = "SELECT s.prompt_tokens > 0 OR EXISTS (SELECT 1 FROM transcript e \
                    WHERE e.session = s.seq AND e.role = 'assistant') \
                    FROM sessions s WHERE s.seq = ?1";
    let past = tx.one(answered, [earlier.seq], |row| past(row, 0))?;
    let platform = arrival.message.inbound.address.platform.name();
    let past = past.unwrap_or(Past::Empty);
    let policy = policy(arrival);
    Ok(Some(News::by_itself(
        earlier.id, cause, past, policy, platform,
    )))
}

/// Makes the row of a conversation that begins with the message.
fn begin(
    tx: &Tx<'_>,
    arrival: &Arrival,
    route: &Route,
    news: Option<News>,
) -> Result<Session, Fault> {
    let inbound = &arrival.message.inbound;
    let address = &inbound.address;
    let seq = tx.insert(
        "INSERT INTO sessions (id, scope, key, generation, platform, account, chat, chat_kind, \
         thread, person, origin, label, preview, news, created_at, active_at, listed_at) \
         VALUES (?1, ?2, ?3, \
         (SELECT coalesce(max(generation), 0) + 1 FROM sessions WHERE scope = ?2), \
         ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14, ?14)",
        params![
            arrival.message.session.to_string(),
            route.scope.as_str(),
            route.key.as_str(),
            address.platform.name(),
            address.account.0,
            address.chat.id,
            address.chat.kind.name(),
            address.thread,
            Some(&inbound.person.id).filter(|id| !id.is_empty()),
            rows::json(&Origin::of(inbound))?,
            label(arrival),
            preview(inbound),
            news.as_ref().map(rows::json).transpose()?,
            tx.now().ms(),
        ],
    )?;
    Ok(Session {
        seq,
        id: arrival.message.session,
        waiting: 0,
        rests: true,
    })
}

/// What a list shows of a conversation that begins with the message. A command is no part of it.
fn preview(inbound: &Inbound) -> String {
    if command::read(inbound).is_for_the_agent() {
        text::preview(&inbound.gist(), limits::PREVIEW_CHARS)
    } else {
        String::new()
    }
}

/// Whom or what the conversation is with.
fn label(arrival: &Arrival) -> String {
    let inbound = &arrival.message.inbound;
    let name = inbound.person.name.as_deref();
    let name = name.filter(|name| !name.trim().is_empty());
    let shown = name.unwrap_or(&inbound.address.chat.id);
    text::preview(shown, limits::PREVIEW_CHARS)
}
