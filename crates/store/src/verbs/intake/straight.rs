//! *accept* in one statement, on a server.
//!
//! A message by itself, into a conversation that exists, goes on and has room, is what nearly always comes. The function
//! below takes such a message as `intake` would: it holds the place and its conversation, looks, and adds the row. Where
//! any of it is not so nothing is added, and `intake` looks more closely.
//!
//! It says of a conversation what `core` would: only where the policy never ends one by itself, which needs no clock, and
//! only of those that carry no mark.

use angelia_core::intake::room;
use angelia_core::limits;
use angelia_core::session::lifecycle;
use angelia_core::time::Timestamp;
use angelia_core::turn::manners::Gathering;

use super::Arrival;
use crate::database::row::Row;
use crate::database::value::{Kind, Owned};
use crate::intake::Accepted;
use crate::postgres::direct::{Direct, Way};
use crate::postgres::pool::{Desk, Time};
use crate::verbs::{door, rows};

/// The name of the conversation that the message was added to; nothing if it was not. One that rests has nobody who
/// waits, and those who do are counted without the one who is next.
const FUNCTION: &str = "CREATE FUNCTION pg_temp.angelia_accept( \
      new_id TEXT, new_account TEXT, new_key TEXT, new_body TEXT, place TEXT, \
      told_now BIGINT, gathers_for BIGINT, room BIGINT) RETURNS TEXT LANGUAGE plpgsql AS $accept$ \
    DECLARE held BIGINT; named TEXT; moment BIGINT; mark TEXT := 'next'; due BIGINT; \
    BEGIN \
      SELECT s.seq, s.id INTO held, named FROM sessions s \
        WHERE s.seq = (SELECT r.session FROM routes r WHERE r.scope = place FOR NO KEY UPDATE) \
        AND s.end_reason IS NULL AND s.suspended_at IS NULL AND s.resume_at IS NULL FOR NO KEY UPDATE; \
      IF NOT FOUND THEN RETURN NULL; END IF; \
      moment := coalesce(told_now, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)); \
      IF EXISTS (SELECT 1 FROM inbox i WHERE i.session = held AND i.state = 'next') \
        OR EXISTS (SELECT 1 FROM turns t WHERE t.session = held AND t.state = 'open') THEN \
        IF (SELECT count(*) FROM inbox i WHERE i.session = held AND i.state = 'waiting') + 1 >= room \
          THEN RETURN NULL; END IF; \
        mark := 'waiting'; due := moment + gathers_for; \
      END IF; \
      INSERT INTO inbox (id, account, event_key, session, state, received_at, body, due_at) \
        VALUES (new_id, new_account, new_key, held, mark, moment, new_body, due) \
        ON CONFLICT (account, event_key) DO NOTHING; \
      RETURN CASE WHEN FOUND THEN named END; \
    END $accept$";

/// How a server is asked.
pub(crate) const WAY: Way = Way {
    function: FUNCTION,
    call: "SELECT pg_temp.angelia_accept(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
};

/// Takes it, if that is all there is to it and the way is free.
pub(super) async fn accept(
    (direct, desk): (&Direct, &Desk),
    arrival: &Arrival,
) -> Option<Accepted> {
    let route = arrival.route.as_ref().ok()?;
    if !lifecycle::is_certain(door::policy(arrival)) {
        return None;
    }
    let values = values(arrival, route.scope.as_str(), desk);
    let added = direct.go(desk, &values).await?;
    let session = rows::parsed_maybe(&Row::Postgres(&added), 0).ok()??;
    desk.counters.add(1);
    Some(arrival.placed(session, route))
}

fn values(arrival: &Arrival, scope: &str, desk: &Desk) -> [Owned; 8] {
    let inbound = &arrival.message.inbound;
    let gathers = inbound.about.gathers == Some(Gathering::Together);
    let now = match &desk.time {
        Time::Server => None,
        Time::Given(clock) => Some(clock()),
    };
    [
        text(&arrival.message.inbox.to_string()),
        text(&inbound.address.account.0),
        text(inbound.event_key.as_str()),
        text(&arrival.body),
        text(scope),
        number(now.map(Timestamp::ms)),
        number(gathers.then_some(limits::GATHER_TIME.as_ms())),
        Owned::Number(room(arrival.urgency) as i64),
    ]
}

fn text(text: &str) -> Owned {
    Owned::Text(text.to_owned())
}

fn number(number: Option<i64>) -> Owned {
    number.map_or(Owned::Missing(Kind::Number), Owned::Number)
}
