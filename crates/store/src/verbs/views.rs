//! The listings.
//!
//! The story of one message and the detail of one conversation are in `story`. Every listing walks an
//! index from its cursor, so a page costs the same wherever it begins.

pub(super) mod listing;

use angelia_core::address::AccountId;
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::inbound::Role;
use angelia_core::limits;
use angelia_core::media::enclosure::Enclosure;
use angelia_core::outbound::Delivery;
use async_trait::async_trait;

use super::long::words_sql;
use super::pages::{self, Start};
use super::rows::{self, delivery, delivery_sql};
use super::{said, story, turns};
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::{Nothing, params};
use crate::views::{
    Answer, Counts, Entry, Liveness, NodeRow, Order, OutboxFilter, Page, Range, Reading,
    SessionDetail, SessionFilter, SessionRow, Shown, Story, TurnSteps, Views, Work,
};

#[async_trait]
impl Views for Database {
    async fn story(&self, inbox: InboxId) -> Result<Option<Story>, StoreError> {
        self.read(move |tx| story::of_message(tx, inbox)).await
    }

    async fn answer(&self, inbox: InboxId) -> Result<Option<Answer>, StoreError> {
        self.read(move |tx| story::answer(tx, inbox)).await
    }

    async fn steps(&self, turn: TurnId, range: Range) -> Result<Option<TurnSteps>, StoreError> {
        self.read(move |tx| story::of_turn(tx, turn, &range)).await
    }

    async fn sessions(
        &self,
        filter: SessionFilter,
        range: Range,
    ) -> Result<Page<SessionRow>, StoreError> {
        self.read(move |tx| listing::sessions(tx, &filter, &range))
            .await
    }

    async fn session(&self, session: SessionId) -> Result<Option<SessionDetail>, StoreError> {
        self.read(move |tx| story::of_session(tx, session)).await
    }

    async fn transcript(
        &self,
        session: SessionId,
        reading: Reading,
        range: Range,
    ) -> Result<Option<Page<Entry>>, StoreError> {
        self.read(move |tx| match turns::session_seq(tx, session)? {
            Some(seq) => transcript(tx, seq, reading, &range).map(Some),
            None => Ok(None),
        })
        .await
    }

    async fn sent_to(
        &self,
        account: &AccountId,
        chat: &str,
        range: Range,
    ) -> Result<Page<Delivery>, StoreError> {
        let account = account.to_owned();
        let chat = chat.to_owned();
        self.read(move |tx| sent_to(tx, &account, &chat, &range))
            .await
    }

    async fn deliveries(
        &self,
        filter: OutboxFilter,
        range: Range,
    ) -> Result<Page<Delivery>, StoreError> {
        self.read(move |tx| deliveries(tx, filter, &range)).await
    }

    async fn living_nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        self.read(living_nodes).await
    }

    async fn nodes(&self, range: Range) -> Result<Page<NodeRow>, StoreError> {
        self.read(move |tx| nodes(tx, &range)).await
    }

    async fn counts(&self) -> Result<Counts, StoreError> {
        self.read(counts).await
    }
}

/// Selects rows as [`entry`] reads them; the argument says which.
macro_rules! entry_sql {
    ($which:literal) => {
        concat!(
            "SELECT e.seq, e.role, e.name, ",
            words_sql!("e"),
            ", e.at, t.id, e.visibility, \
             e.role <> 'user' AND e.role <> 'tool' AND e.turn IS NOT NULL \
             AND (json_extract(e.body, '$.body.reasoning.text') IS NOT NULL OR EXISTS \
                  (SELECT 1 FROM steps j WHERE j.turn = e.turn AND j.kind IN ('tool_begun', 'planned'))), \
             json_extract(e.body, '$.body.pictures'), e.turn \
             FROM transcript e \
             LEFT JOIN turns t ON t.seq = e.turn WHERE e.session = ?1 \
             AND (e.visibility = 'visible' OR ?4) ",
            $which
        )
    };
}

fn transcript(
    tx: &Tx<'_>,
    session: i64,
    reading: Reading,
    range: &Range,
) -> Result<Page<Entry>, Fault> {
    let (first, sql) = match reading.order {
        Order::Ascending => (0, entry_sql!("AND e.seq > ?2 ORDER BY e.seq LIMIT ?3")),
        Order::Descending => (
            i64::MAX,
            entry_sql!("AND e.seq < ?2 ORDER BY e.seq DESC LIMIT ?3"),
        ),
    };
    let Some(after) = after(range, first) else {
        return Ok(pages::empty());
    };
    let all = reading.shown == Shown::All;
    let mut found = tx.all(
        sql,
        params![session, after, pages::asked(range), all],
        |row| Ok((row.get::<Option<i64>>(9)?, entry(row)?)),
    )?;
    enclose(tx, session, &mut found)?;
    let numbered = |(_, entry): (_, Entry)| (entry.seq.to_string(), entry);
    Ok(pages::page(
        range,
        found.into_iter().map(numbered).collect(),
    ))
}

/// Puts the files that went out with a turn's reply beside its words.
fn enclose(tx: &Tx<'_>, session: i64, entries: &mut [(Option<i64>, Entry)]) -> Result<(), Fault> {
    let turns = || entries.iter().filter_map(|(turn, _)| *turn);
    let (Some(first), Some(last)) = (turns().min(), turns().max()) else {
        return Ok(());
    };
    let sent: Vec<(i64, Vec<Enclosure>)> = tx.all(
        "SELECT turn, files FROM outbox WHERE session = ?1 AND turn >= ?2 AND turn <= ?3 \
         AND files IS NOT NULL ORDER BY turn, part",
        params![session, first, last],
        |row| Ok((row.get(0)?, rows::json_maybe(row, 1)?.unwrap_or_default())),
    )?;
    for (turn, files) in sent {
        let of_it = entries
            .iter_mut()
            .filter(|(of, entry)| *of == Some(turn) && entry.role == Role::Assistant);
        if let Some((_, reply)) = of_it.max_by_key(|(_, entry)| entry.seq) {
            reply.files.extend(files);
        }
    }
    Ok(())
}

fn entry(row: &Row<'_>) -> Result<Entry, Fault> {
    let written_by_a_turn = row.get::<Option<String>>(5)?.is_some();
    Ok(Entry {
        seq: row.get::<i64>(0)?.unsigned_abs(),
        role: rows::role(row, 1)?,
        name: row.get(2)?,
        text: row.get(3)?,
        at: rows::time(row, 4)?,
        turn: written_by_a_turn
            .then(|| rows::parsed(row, 5))
            .transpose()?,
        visibility: said::visibility(row, 6)?,
        work: if row.get(7)? { Work::Steps } else { Work::None },
        pictures: rows::json_maybe(row, 8)?.unwrap_or_default(),
        files: Vec::new(),
    })
}

/// The number after which the page begins, or nothing if the cursor cannot be read.
pub(super) fn after(range: &Range, first: i64) -> Option<i64> {
    match pages::start(range) {
        Start::First => Some(first),
        Start::After(number, _) => Some(number),
        Start::PastTheEnd => None,
    }
}

fn sent_to(
    tx: &Tx<'_>,
    account: &AccountId,
    chat: &str,
    range: &Range,
) -> Result<Page<Delivery>, Fault> {
    let Some(after) = after(range, 0) else {
        return Ok(pages::empty());
    };
    let found = tx.all(
        delivery_sql!(
            "o.account = ?1 AND o.chat = ?2 AND o.state = 'sent' AND o.sent_order > ?3 \
             ORDER BY o.sent_order LIMIT ?4"
        ),
        params![account.0, chat, after, pages::asked(range)],
        |row| {
            Ok((
                row.get::<i64>(rows::DELIVERY_SENT_ORDER)?.to_string(),
                delivery(row)?,
            ))
        },
    )?;
    Ok(pages::page_to_follow(range, found))
}

fn deliveries(tx: &Tx<'_>, filter: OutboxFilter, range: &Range) -> Result<Page<Delivery>, Fault> {
    let (first, sql) = match filter {
        OutboxFilter::Open => (
            0,
            delivery_sql!(
                "(o.state = 'due' OR o.state = 'sending' OR o.state = 'wedged') \
                 AND o.seq > ?1 ORDER BY o.seq LIMIT ?2"
            ),
        ),
        OutboxFilter::Wedged => (
            0,
            delivery_sql!(
                "(o.state = 'due' OR o.state = 'sending' OR o.state = 'wedged') \
                 AND o.state = 'wedged' AND o.seq > ?1 ORDER BY o.seq LIMIT ?2"
            ),
        ),
        OutboxFilter::Sent => (
            i64::MAX,
            delivery_sql!("o.state = 'sent' AND o.seq < ?1 ORDER BY o.seq DESC LIMIT ?2"),
        ),
        OutboxFilter::All => (
            i64::MAX,
            delivery_sql!("o.seq < ?1 ORDER BY o.seq DESC LIMIT ?2"),
        ),
    };
    let Some(after) = after(range, first) else {
        return Ok(pages::empty());
    };
    let found = tx.all(sql, [after, pages::asked(range)], |row| {
        Ok((
            row.get::<i64>(rows::DELIVERY_SEQ)?.to_string(),
            delivery(row)?,
        ))
    })?;
    Ok(pages::page(range, found))
}

/// Selects boots as [`node`] reads them; the argument says which.
macro_rules! node_sql {
    ($which:literal) => {
        concat!(
            "SELECT seq, id, version, started_at, seen_at, stopped_at, home, place, \
             (SELECT count(*) FROM nodes later WHERE later.home = nodes.home AND later.seq > nodes.seq) \
             FROM nodes WHERE ",
            $which,
            " ORDER BY seq DESC LIMIT ?2"
        )
    };
}

fn nodes(tx: &Tx<'_>, range: &Range) -> Result<Page<NodeRow>, Fault> {
    let Some(after) = after(range, i64::MAX) else {
        return Ok(pages::empty());
    };
    let found = tx.all(node_sql!("seq < ?1"), [after, pages::asked(range)], |row| {
        Ok((row.get::<i64>(0)?.to_string(), node(tx, row)?))
    })?;
    Ok(pages::page(range, found))
}

/// Boots that died are kept for days, and there may be many that are newer than one that lives.
fn living_nodes(tx: &Tx<'_>) -> Result<Vec<NodeRow>, Fault> {
    let lately = (tx.now() - limits::LEASE_TIME).ms();
    let mut found = tx.all(
        node_sql!("stopped_at IS NULL AND seen_at > ?1"),
        [lately, limits::NODES_LISTED as i64],
        |row| node(tx, row),
    )?;
    found.retain(|node| node.liveness == Liveness::Alive);
    Ok(found)
}

fn node(tx: &Tx<'_>, row: &Row<'_>) -> Result<NodeRow, Fault> {
    let (seen_at, stopped_at) = (rows::time(row, 4)?, rows::time_maybe(row, 5)?);
    // A boot proves that earlier ones of its home are dead.
    let is_last = row.get::<i64>(8)? == 0;
    let alive = is_last && stopped_at.is_none() && tx.now().since(seen_at) < limits::LEASE_TIME;
    Ok(NodeRow {
        id: rows::parsed(row, 1)?,
        home: row.get(6)?,
        place: row.get(7)?,
        version: row.get(2)?,
        started_at: rows::time(row, 3)?,
        seen_at,
        stopped_at,
        liveness: if alive {
            Liveness::Alive
        } else {
            Liveness::Gone
        },
    })
}

fn counts(tx: &Tx<'_>) -> Result<Counts, Fault> {
    let count = |sql: &str| Ok::<u64, Fault>(tx.number(sql, Nothing)?.unsigned_abs());
    let wedged = count(
        "SELECT count(*) FROM outbox \
         WHERE (state = 'due' OR state = 'sending' OR state = 'wedged') AND state = 'wedged'",
    )?;
    let open = count(
        "SELECT count(*) FROM outbox \
         WHERE (state = 'due' OR state = 'sending' OR state = 'wedged')",
    )?;
    Ok(Counts {
        waiting: count("SELECT count(*) FROM inbox WHERE state = 'waiting'")?
            + count("SELECT count(*) FROM inbox WHERE state = 'next'")?,
        running: count("SELECT count(*) FROM turns WHERE state = 'open'")?,
        due: open - wedged,
        wedged,
        sessions: count("SELECT count(*) FROM sessions")?,
    })
}
