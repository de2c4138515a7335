//! Everything about one message, one turn or one conversation.

use std::sync::Arc;

use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::session::key::SessionKey;
use angelia_core::transcript::usage::Tokens;
use angelia_core::turn::journal::{Recorded, Step};

use super::long;
use super::pages;
use super::rows::{self, delivery, delivery_sql, message_sql};
use super::turns::{self, Message};
use super::views;
use super::views::listing::{self, session, session_sql};
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::turns::Waiting;
use crate::views::{Answer, Page, Range, SessionDetail, Story, TurnRow, TurnSteps, Unanswered};

/// The story of one message.
pub(super) fn of_message(tx: &Tx<'_>, inbox: InboxId) -> Result<Option<Story>, Fault> {
    let begun = tx.one(
        concat!(
            "SELECT ",
            message_sql!("i"),
            ", s.id, s.key, i.received_at, i.turn, i.seq FROM inbox i \
             JOIN sessions s ON s.seq = i.session WHERE i.id = ?1"
        ),
        [inbox.to_string()],
        |row| Ok((begun(tx, row, inbox)?, row.get::<Option<i64>>(4)?)),
    )?;
    match begun {
        Some((story, Some(turn))) => continued(tx, story, turn).map(Some),
        Some((story, None)) => Ok(Some(story)),
        None => Ok(None),
    }
}

fn begun(tx: &Tx<'_>, row: &Row<'_>, inbox: InboxId) -> Result<Story, Fault> {
    Ok(Story {
        inbox,
        inbound: long::inbound(tx, row, (0, 5))?,
        session: rows::parsed(row, 1)?,
        key: SessionKey::from_stored(row.get(2)?),
        received_at: rows::time(row, 3)?,
        turn: None,
        steps: Vec::new(),
        deliveries: Vec::new(),
    })
}

fn continued(tx: &Tx<'_>, story: Story, turn: i64) -> Result<Story, Fault> {
    Ok(Story {
        turn: tx.one(
            "SELECT id, state, attempts, claimed_at, settled_at FROM turns WHERE seq = ?1",
            [turn],
            turn_row,
        )?,
        steps: turns::journal(tx, turn)?,
        deliveries: tx.all(
            delivery_sql!("o.turn = ?1 ORDER BY o.seq"),
            [turn],
            delivery,
        )?,
        ..story
    })
}

/// The answer to a message, if its turn has ended.
pub(super) fn answer(tx: &Tx<'_>, inbox: InboxId) -> Result<Option<Answer>, Fault> {
    let ended = tx.one(
        "SELECT t.seq, t.state FROM inbox i JOIN turns t ON t.seq = i.turn \
         WHERE i.id = ?1 AND t.state <> 'open'",
        [inbox.to_string()],
        |row| Ok((row.get::<i64>(0)?, row.get(1)?)),
    )?;
    let Some((turn, state)) = ended else {
        return Ok(None);
    };
    let parts = "SELECT text, part > 1 AND files IS NOT NULL FROM outbox \
                 WHERE turn = ?1 AND notice = 0 ORDER BY part";
    let parts: Vec<String> = tx.all(parts, [turn], |row| {
        let (text, is_below): (String, bool) = (row.get(0)?, row.get(1)?);
        Ok(if is_below { format!("\n{text}") } else { text })
    })?;
    Ok(Some(Answer {
        state,
        reply: parts.concat(),
        tokens: tokens(tx, turn)?,
    }))
}

fn tokens(tx: &Tx<'_>, turn: i64) -> Result<Tokens, Fault> {
    let sql = "SELECT body FROM steps WHERE turn = ?1 AND kind = 'answer'";
    let answers: Vec<Step> = tx.all(sql, [turn], |row| rows::body(row, 0))?;
    let spent = answers.into_iter().filter_map(|step| {
        if let Step::Answer { spent, .. } = step {
            spent
        } else {
            None
        }
    });
    Ok(spent.fold(Tokens::default(), |all, one| all.plus(one.tokens)))
}

/// What a turn did, as far as a page goes.
pub(super) fn of_turn(
    tx: &Tx<'_>,
    turn: TurnId,
    range: &Range,
) -> Result<Option<TurnSteps>, Fault> {
    let found = tx.one(
        "SELECT id, state, attempts, claimed_at, settled_at, seq FROM turns WHERE id = ?1",
        [turn.to_string()],
        |row| Ok((turn_row(row)?, row.get::<i64>(5)?)),
    )?;
    let Some((turn, seq)) = found else {
        return Ok(None);
    };
    let page = match views::after(range, 0) {
        Some(after) => steps(tx, seq, after, range)?,
        None => pages::empty(),
    };
    Ok(Some(TurnSteps { turn, page }))
}

fn steps(tx: &Tx<'_>, turn: i64, after: i64, range: &Range) -> Result<Page<Recorded>, Fault> {
    let found = tx.all(
        "SELECT seq, at, body FROM steps WHERE turn = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
        [turn, after, pages::asked(range)],
        |row| {
            let step = turns::recorded(row)?;
            Ok((step.seq.to_string(), step))
        },
    )?;
    Ok(pages::page(range, found))
}

fn turn_row(row: &Row<'_>) -> Result<TurnRow, Fault> {
    let state: String = row.get(1)?;
    Ok(TurnRow {
        id: rows::parsed(row, 0)?,
        state: if state == "open" {
            "running".to_owned()
        } else {
            state
        },
        attempts: row.get(2)?,
        claimed_at: rows::time(row, 3)?,
        settled_at: rows::time_maybe(row, 4)?,
    })
}

/// One conversation with what is going on in it.
pub(super) fn of_session(tx: &Tx<'_>, id: SessionId) -> Result<Option<SessionDetail>, Fault> {
    let found = tx.one(session_sql!("WHERE s.id = ?1"), [id.to_string()], |row| {
        Ok((row.get::<i64>(0)?, session(row)?))
    })?;
    let Some((seq, row)) = found else {
        return Ok(None);
    };
    let open = tx.one(
        "SELECT id, state, attempts, claimed_at, settled_at, batch FROM turns \
         WHERE session = ?1 AND state = 'open'",
        [seq],
        |row| Ok((turn_row(row)?, rows::batch(row, 5)?)),
    )?;
    let (turn, batch) = open.map_or((None, Vec::new()), |(turn, batch)| (Some(turn), batch));
    let mut messages = turns::messages(tx, &batch)?;
    messages.extend(waiting(tx, seq)?);
    let unanswered = messages.into_iter().map(unanswered).collect();
    Ok(Some(SessionDetail {
        row,
        unanswered,
        turn,
        facts: listing::facts(tx, seq)?,
    }))
}

fn waiting(tx: &Tx<'_>, session: i64) -> Result<Vec<Message>, Fault> {
    tx.all(
        concat!(
            "SELECT id, ",
            message_sql!("inbox"),
            ", received_at, seq FROM inbox \
             WHERE session = ?1 AND state = 'next' UNION ALL SELECT id, ",
            message_sql!("inbox"),
            ", received_at, seq FROM inbox WHERE session = ?1 AND state = 'waiting' ORDER BY 4"
        ),
        [session],
        |row| {
            let (inbound, words) = long::message(tx, row, (1, 3))?;
            let waiting = Waiting {
                inbox: rows::parsed(row, 0)?,
                inbound: Arc::new(inbound),
                received_at: rows::time(row, 2)?,
            };
            Ok(Message { waiting, words })
        },
    )
}

fn unanswered(message: Message) -> Unanswered {
    let Waiting {
        inbox,
        inbound,
        received_at,
    } = message.waiting;
    let inbound = Arc::unwrap_or_clone(inbound);
    Unanswered {
        inbox,
        person: inbound.person.clone(),
        text: inbound.words().into_owned(),
        pictures: inbound.pictures,
        received_at,
    }
}
