//! Titles and links. What a wish for a title leads to, and where links lead, is `core`'s to say.

use angelia_core::id::SessionId;
use angelia_core::transcript::ending::Life;
use angelia_core::transcript::lineage::{Kind, Lineage, Link, Node};
use angelia_core::transcript::title::{self, Claim, Giver, Title, Wish};
use async_trait::async_trait;

use super::{hold, rows};
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::{Nothing, params};
use crate::titles::{Found, Titles};

#[async_trait]
impl Titles for Database {
    async fn set_title(
        &self,
        session: SessionId,
        title: Option<Title>,
        giver: Giver,
    ) -> Result<Option<Claim>, StoreError> {
        self.write(move |tx| set(tx, session, title.as_ref(), giver))
            .await
    }

    async fn next_title(&self, wish: Title) -> Result<Title, StoreError> {
        self.read(move |tx| {
            let titles = titled(tx)?.into_iter().map(|(_, title)| title);
            Ok(title::next(&wish, &titles.collect::<Vec<_>>()))
        })
        .await
    }

    async fn find(&self, text: &str) -> Result<Found, StoreError> {
        let text = text.to_owned();
        self.read(move |tx| find(tx, text.trim())).await
    }

    async fn family(&self, session: SessionId) -> Result<Option<Lineage>, StoreError> {
        self.read(move |tx| family(tx, session)).await
    }

    async fn lineage(&self) -> Result<Lineage, StoreError> {
        self.read(move |tx| {
            let nodes = tx.all(node_sql!(""), Nothing, node)?;
            Ok(nodes.into_iter().collect())
        })
        .await
    }
}

fn set(
    tx: &Tx<'_>,
    session: SessionId,
    title: Option<&Title>,
    giver: Giver,
) -> Result<Option<Claim>, Fault> {
    hold::named(tx, "titles")?;
    let id = session.to_string();
    let current = "SELECT title FROM sessions WHERE id = ?1";
    let Some(current) = tx.one(current, [&id], |row| title_maybe(row, 0))? else {
        return Ok(None);
    };
    let wish = Wish {
        giver,
        session,
        current: current.as_ref(),
        holder: title.map(|title| holder(tx, title)).transpose()?.flatten(),
    };
    let claim = title::claim(&wish, &links(tx, &wish)?);
    let call = "UPDATE sessions SET title = ?2 WHERE id = ?1";
    match claim {
        Claim::Keeps | Claim::Taken(_) => return Ok(Some(claim)),
        Claim::MovesFrom(before) => {
            tx.also(call, params![before.to_string(), None::<String>])?;
        }
        Claim::Set => {}
    }
    tx.also(call, params![id, title.map(Title::as_str)])?;
    Ok(Some(claim))
}

fn holder(tx: &Tx<'_>, title: &Title) -> Result<Option<SessionId>, Fault> {
    let sql = "SELECT id FROM sessions WHERE title = ?1";
    tx.one(sql, [title.as_str()], |row| rows::parsed(row, 0))
}

/// The links that the claim may ask about: none, unless another session has the title.
fn links(tx: &Tx<'_>, wish: &Wish<'_>) -> Result<Lineage, Fault> {
    if wish.holder.is_none_or(|holder| holder == wish.session) {
        return Ok(Lineage::default());
    }
    Ok(family(tx, wish.session)?.unwrap_or_default())
}

fn title_maybe(row: &Row<'_>, column: usize) -> Result<Option<Title>, Fault> {
    let text: Option<String> = row.get(column)?;
    let clean = text.map(|text| Title::clean(&text).map_err(rows::undecodable));
    Ok(clean.transpose()?.flatten())
}

/// Every title with its session, by when they began.
fn titled(tx: &Tx<'_>) -> Result<Vec<(SessionId, Title)>, Fault> {
    let found = tx.all(
        "SELECT id, title FROM sessions WHERE title IS NOT NULL ORDER BY created_at, seq",
        Nothing,
        |row| Ok((rows::parsed(row, 0)?, title_maybe(row, 1)?)),
    )?;
    let named = found.into_iter();
    Ok(named.filter_map(|(id, title)| Some((id, title?))).collect())
}

fn find(tx: &Tx<'_>, text: &str) -> Result<Found, Fault> {
    let by_id = by_id(tx, text)?;
    if let Found::One(_) = by_id {
        return Ok(by_id);
    }
    let Ok(Some(wish)) = Title::clean(text) else {
        return Ok(by_id);
    };
    let titled = titled(tx)?;
    let titles: Vec<Title> = titled.iter().map(|(_, title)| title.clone()).collect();
    let meant = title::resolve(&wish, &titles);
    let session = meant.and_then(|meant| titled.iter().find(|(_, title)| title == meant));
    Ok(session.map_or(by_id, |(id, _)| Found::One(*id)))
}

/// Ids are letters and digits, which all come before `{`. An exact one is never ambiguous, and comes first.
fn by_id(tx: &Tx<'_>, text: &str) -> Result<Found, Fault> {
    if text.is_empty() {
        return Ok(Found::Nothing);
    }
    let ids: Vec<SessionId> = tx.all(
        "SELECT id FROM sessions WHERE id >= ?1 AND id < ?1 || '{' ORDER BY id LIMIT 2",
        [text],
        |row| rows::parsed(row, 0),
    )?;
    Ok(match ids.as_slice() {
        [] => Found::Nothing,
        [one] => Found::One(*one),
        _ => Found::Several,
    })
}

/// Selects sessions as [`node`] reads them; the argument says which.
macro_rules! node_sql {
    ($which:literal) => {
        concat!(
            "SELECT s.id, p.id, s.link, s.created_at, \
             (SELECT e.at FROM transcript e WHERE e.session = s.seq ORDER BY e.seq DESC LIMIT 1), \
             s.ended_at, s.end_reason FROM sessions s LEFT JOIN sessions p ON p.seq = s.parent ",
            $which
        )
    };
}
use node_sql;

/// The session, all that it came from, and all that came from those.
fn family(tx: &Tx<'_>, session: SessionId) -> Result<Option<Lineage>, Fault> {
    let nodes = tx.all(
        concat!(
            "WITH RECURSIVE up (seq, parent) AS ( \
               SELECT seq, parent FROM sessions WHERE id = ?1 \
               UNION SELECT s.seq, s.parent FROM sessions s JOIN up ON s.seq = up.parent), \
             family (seq) AS ( \
               SELECT seq FROM up \
               UNION SELECT s.seq FROM sessions s JOIN family f ON s.parent = f.seq) ",
            node_sql!("JOIN family f ON f.seq = s.seq")
        ),
        [session.to_string()],
        node,
    )?;
    Ok((!nodes.is_empty()).then(|| nodes.into_iter().collect()))
}

fn node(row: &Row<'_>) -> Result<Node, Fault> {
    Ok(Node {
        id: rows::parsed(row, 0)?,
        link: link(row)?,
        started_at: rows::time(row, 3)?,
        last_message_at: rows::time_maybe(row, 4)?,
        life: match rows::time_maybe(row, 5)? {
            None => Life::Live,
            Some(_) => Life::Ended(rows::parsed(row, 6)?),
        },
    })
}

fn link(row: &Row<'_>) -> Result<Option<Link>, Fault> {
    if row.get::<Option<String>>(1)?.is_none() {
        return Ok(None);
    }
    let kind = match row.get_ref(2)?.as_str()? {
        "continuation" => Kind::Continuation,
        "branch" => Kind::Branch,
        "delegate" => Kind::Delegate,
        "parent" => Kind::Parent,
        other => return Err(rows::undecodable(format!("a link is `{other}`"))),
    };
    Ok(Some(Link {
        parent: rows::parsed(row, 1)?,
        kind,
    }))
}

#[cfg(test)]
#[path = "titles_tests.rs"]
mod tests;
