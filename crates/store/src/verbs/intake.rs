//! *accept*.
//!
//! The order is the meaning: first whether the message came before, then what it is, then whether its
//! conversation has room. Only a message that is taken makes a session.
//!
//! Nearly every message is new and goes into a conversation that exists, goes on and has room. There the
//! order is kept without asking: the row itself refuses to be there twice, and nothing is written before
//! it. Such a message costs three statements. Which conversation it is, and whether that one goes on, is
//! in `door`. What every message needs and can be worked out from it alone is worked out by the caller, not by
//! the one thread that writes.
//!
//! On a server, those that come at once are taken together (`together`), and one that comes alone goes
//! `straight`.
//!
//! On WhatsApp a person has several ids, and which of them stands in the key is a row (`aliases`). Such a
//! message reads it first, and writes it when it is the first one under its id.

pub(crate) mod straight;
pub(crate) mod together;

use angelia_core::address::AccountId;
use angelia_core::id::SessionId;
use angelia_core::inbound::Inbound;
use angelia_core::intake::{self, Refusal, Urgency};
use angelia_core::limits;
use angelia_core::media::MediaId;
use angelia_core::session::key::{self, Isolation, Route, Scope, SessionKey};
use angelia_core::time::Timestamp;
use angelia_core::turn::manners::Gathering;
use angelia_core::whatsapp::aliases::{Alias, Aliases};
use async_trait::async_trait;

use super::door::{self, Found, Session};
use super::processes::reading::tells_what_is_read;
use super::{aliases, long, media, moves, outbox, rows};
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::intake::{Accept, Accepted, Away, Intake, Pair, Place};

#[async_trait]
impl Intake for Database {
    async fn accept(&self, message: Accept) -> Result<Accepted, StoreError> {
        let arrival = Arrival::of(message).map_err(|fault| fault.said(&self.place))?;
        match self.door() {
            Some(door) if arrival.is_plain() => match self.straight(&arrival).await {
                Some(accepted) => Ok(accepted),
                None => door.ask(arrival).await,
            },
            Some(_) | None => self.write_arrival(move |tx| accept(tx, &arrival)).await,
        }
    }

    async fn turn_away(&self, away: Away) -> Result<(), StoreError> {
        self.write(move |tx| turn_away(tx, &away)).await
    }

    async fn cursor(&self, account: &AccountId) -> Result<Option<String>, StoreError> {
        // Read by the writer, behind everything that was asked before: who goes on from a cursor
        // tells the platform that all before it is kept, so it must be durable by then.
        let account = account.clone();
        let sql = "SELECT cursor FROM cursors WHERE account = ?1";
        self.write(move |tx| tx.one(sql, [&account.0], |row| row.get(0)))
            .await
    }

    async fn place_of(
        &self,
        inbound: &Inbound,
        isolation: Isolation,
    ) -> Result<Option<Scope>, StoreError> {
        let inbound = inbound.to_owned();
        let route = self
            .read(move |tx| aliases::route(tx, &inbound, isolation))
            .await?;
        Ok(route.ok().map(|route| route.scope))
    }

    async fn learn_alias(&self, pair: Pair) -> Result<Vec<Alias>, StoreError> {
        self.write(move |tx| aliases::learn(tx, &pair)).await
    }
}

impl Database {
    async fn straight(&self, arrival: &Arrival) -> Option<Accepted> {
        straight::accept(self.short_cut()?, arrival).await
    }
}

/// A message at the door, with what follows from it alone.
pub(crate) struct Arrival {
    pub(super) message: Accept,
    /// Where it belongs if no id of it has an alias.
    route: Result<Route, Refusal>,
    /// The id that may have one.
    known_by: Option<String>,
    body: String,
    /// The pictures that it refers to.
    media: Vec<MediaId>,
    urgency: Urgency,
}

impl Arrival {
    fn of(mut message: Accept) -> Result<Self, Fault> {
        let (inbound, isolation) = (&mut message.inbound, message.rules.isolation);
        Ok(Self {
            route: intake::check(inbound, isolation, &Aliases::default()),
            known_by: key::known_by(&key::Place::of(inbound), isolation).map(str::to_owned),
            media: inbound.media().collect(),
            urgency: intake::urgency(inbound),
            body: long::body(inbound)?,
            message,
        })
    }

    /// The same message, as it would have come from elsewhere.
    fn from(&self, inbound: Inbound) -> Result<Self, Fault> {
        Self::of(Accept {
            inbound,
            ..self.message.clone()
        })
    }

    fn placed(&self, session: SessionId, route: &Route) -> Accepted {
        Accepted::New(Place {
            inbox: self.message.inbox,
            session,
            key: route.key.clone(),
        })
    }
}

pub(crate) fn accept(tx: &Tx<'_>, arrival: &Arrival) -> Result<Accepted, Fault> {
    if tells_what_is_read(tx, &arrival.message.inbound.event_key)? {
        return Ok(Accepted::Refused(Refusal::Read));
    }
    let accepted = match &arrival.known_by {
        None => decide(tx, arrival, &arrival.route)?,
        Some(id) => decide_among(tx, arrival, id)?,
    };
    if !matches!(accepted, Accepted::Refused(refusal) if refusal.may_pass_later()) {
        let message = &arrival.message;
        let account = &message.inbound.address.account;
        move_cursor(tx, account, message.cursor.as_deref())?;
    }
    Ok(accepted)
}

/// The row is that of a message whose conversation is gone: nothing is done for it, and it is known.
fn turn_away(tx: &Tx<'_>, away: &Away) -> Result<(), Fault> {
    let (inbound, account) = (&away.inbound, &away.inbound.address.account);
    let added = tx.run(
        "INSERT INTO inbox (id, account, event_key, state, received_at, body) \
         VALUES (?1, ?2, ?3, 'done', ?4, '') ON CONFLICT (account, event_key) DO NOTHING",
        params![
            away.inbox.to_string(),
            account.0,
            inbound.event_key.as_str(),
            tx.now().ms(),
        ],
    )?;
    if added == 1 {
        let (notice, text) = &away.notice;
        outbox::turn_away(tx, &inbound.address, (*notice, text), &inbound.message_id)?;
    }
    move_cursor(tx, account, away.cursor.as_deref())
}

/// Decides over a message whose person may have other ids than `id`.
fn decide_among(tx: &Tx<'_>, arrival: &Arrival, id: &str) -> Result<Accepted, Fault> {
    let aliases = aliases::of_newcomer(tx, id)?;
    let message = &arrival.message;
    let route = intake::check(&message.inbound, message.rules.isolation, &aliases);
    let accepted = decide(tx, arrival, &route)?;
    if matches!(accepted, Accepted::New(_)) {
        aliases::write(tx, &aliases.meet(id, tx.now()))?;
    }
    Ok(accepted)
}

fn decide(
    tx: &Tx<'_>,
    arrival: &Arrival,
    route: &Result<Route, Refusal>,
) -> Result<Accepted, Fault> {
    let found = match route {
        Ok(route) => door::find(tx, arrival, route)?,
        Err(_) => Found::Nothing,
    };
    if let (Ok(route), Found::GoesOn(session)) = (route, &found)
        && intake::decide(session.waiting, arrival.urgency).is_ok()
        && media::are_kept(tx, &arrival.media)?
    {
        return match keep(tx, arrival, (session, arrival.besides()))? {
            Kept::Now => Ok(arrival.placed(session.id, route)),
            Kept::Before => came_before(tx, &arrival.message),
        };
    }
    match known(tx, &arrival.message)? {
        Some(known) => Ok(known),
        None => decide_anew(tx, arrival, route, found),
    }
}

/// What is said of a message that could not be added because it was there. If it is not there any more, all is
/// decided anew.
fn came_before(tx: &Tx<'_>, message: &Accept) -> Result<Accepted, Fault> {
    known(tx, message)?.ok_or(Fault::Raced)
}

/// Decides over a message that is new. Where its place has no conversation, its chat may be another one by now.
fn decide_anew(
    tx: &Tx<'_>,
    arrival: &Arrival,
    route: &Result<Route, Refusal>,
    found: Found,
) -> Result<Accepted, Fault> {
    let there = match found {
        Found::Nothing => moves::arrived(tx, &arrival.message.inbound)?,
        Found::GoesOn(_) | Found::Mend(_) | Found::Anew(..) => None,
    };
    match there {
        Some(inbound) => {
            let arrival = arrival.from(inbound)?;
            decide(tx, &arrival, &arrival.route)
        }
        None => begin_or_refuse(tx, arrival, route, found),
    }
}

/// What becomes of a message that is new, but does not simply go into a conversation that exists.
fn begin_or_refuse(
    tx: &Tx<'_>,
    arrival: &Arrival,
    route: &Result<Route, Refusal>,
    found: Found,
) -> Result<Accepted, Fault> {
    let route = match route {
        Ok(route) => route,
        Err(refusal) => return Ok(Accepted::Refused(*refusal)),
    };
    if let Err(refusal) = intake::decide(found.waiting(), arrival.urgency) {
        return Ok(Accepted::Refused(refusal));
    }
    if !media::are_kept(tx, &arrival.media)? {
        return Ok(Accepted::Refused(Refusal::NoPicture));
    }
    let session = door::enter(tx, arrival, route, found)?;
    match keep(tx, arrival, (&session, Besides::More))? {
        Kept::Now => Ok(arrival.placed(session.id, route)),
        // It had not come when that was asked, and came since then.
        Kept::Before => Err(Fault::Raced),
    }
}

/// What is said of a message that came before; nothing if it did not. Under the same id it is the asker's own, whose answer
/// was lost: nobody has been told of it, and no bell was rung.
fn known(tx: &Tx<'_>, message: &Accept) -> Result<Option<Accepted>, Fault> {
    let found = found(tx, message)?;
    Ok(found.map(|place| match place {
        Some(place) if place.inbox == message.inbox => Accepted::New(place),
        Some(place) => Accepted::Duplicate(place),
        None => Accepted::Refused(Refusal::Forgotten),
    }))
}

/// Where the message stands if it came before; nowhere if its conversation was deleted.
fn found(tx: &Tx<'_>, message: &Accept) -> Result<Option<Option<Place>>, Fault> {
    let inbound = &message.inbound;
    tx.one(
        "SELECT i.id, s.id, s.key FROM inbox i LEFT JOIN sessions s ON s.seq = i.session \
         WHERE i.account = ?1 AND i.event_key = ?2",
        [&inbound.address.account.0, inbound.event_key.as_str()],
        |row| {
            let Some(key) = row.get(2)? else {
                return Ok(None);
            };
            Ok(Some(Place {
                inbox: rows::parsed(row, 0)?,
                session: rows::parsed(row, 1)?,
                key: SessionKey::from_stored(key),
            }))
        },
    )
}

/// What is changed for a message besides its own row, before that or afterwards.
#[derive(Clone, Copy)]
enum Besides {
    Nothing,
    More,
}

/// Whether a message was written.
#[derive(PartialEq, Eq)]
enum Kept {
    Now,
    Before,
}

/// Writes the message into its conversation, unless it came before.
fn keep(
    tx: &Tx<'_>,
    arrival: &Arrival,
    (session, besides): (&Session, Besides),
) -> Result<Kept, Fault> {
    let (message, inbound) = (&arrival.message, &arrival.message.inbound);
    let is_short = arrival.body.len() <= rows::SHORT_BODY_BYTES;
    let sql = "INSERT INTO inbox (id, account, event_key, session, state, received_at, body, due_at) \
               VALUES (?1, ?2, ?3, ?4, ?7, ?5, ?6, ?8) ON CONFLICT (account, event_key) DO NOTHING";
    let (id, now) = (message.inbox.to_string(), tx.now().ms());
    let due_at = due_at(tx, inbound, session).map(Timestamp::ms);
    let values = params![
        id,
        inbound.address.account.0,
        inbound.event_key.as_str(),
        session.seq,
        now,
        Some(&arrival.body).filter(|_| is_short),
        session.next_state(),
        due_at,
    ];
    let added = match besides {
        Besides::Nothing => tx.last(sql, values)?,
        Besides::More => tx.run(sql, values)?,
    };
    if added == 0 {
        return Ok(Kept::Before);
    }
    if !is_short {
        let apart = "INSERT INTO long_bodies (inbox, body) SELECT seq, ?2 FROM inbox WHERE id = ?1";
        tx.also(apart, params![message.inbox.to_string(), arrival.body])?;
    }
    if let Some(words) = long::words(inbound) {
        long::keep(tx, &message.inbox.to_string(), words)?;
    }
    media::refer(tx, session.seq, &arrival.media)?;
    Ok(Kept::Now)
}

/// From when on the message may be claimed. Where nothing runs nobody waits: it is claimed at once.
fn due_at(tx: &Tx<'_>, inbound: &Inbound, session: &Session) -> Option<Timestamp> {
    let gathers = inbound.about.gathers == Some(Gathering::Together);
    (gathers && !session.rests).then(|| tx.now() + limits::GATHER_TIME)
}

/// Notes how far the account's listener has read.
pub(super) fn move_cursor(
    tx: &Tx<'_>,
    account: &AccountId,
    cursor: Option<&str>,
) -> Result<(), Fault> {
    if let Some(cursor) = cursor {
        tx.also(
            "INSERT INTO cursors (account, cursor) VALUES (?1, ?2) \
             ON CONFLICT (account) DO UPDATE SET cursor = excluded.cursor",
            [account.0.as_str(), cursor],
        )?;
    }
    Ok(())
}
