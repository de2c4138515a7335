//! Which WhatsApp ids are one person.
//!
//! What the rows mean and how they change is `core::whatsapp::aliases`; here they are read and written.
//! A message needs the row of one id at most, and only messages of WhatsApp need any: whoever asks for
//! another platform's message touches no row.

use angelia_core::inbound::Inbound;
use angelia_core::intake::{self, Refusal};
use angelia_core::session::key::{self, Isolation, Place, Route};
use angelia_core::whatsapp::aliases::{Alias, Aliases};
use angelia_core::whatsapp::normalise;

use super::{hold, moves, rows};
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::intake::Pair;

/// What is held while people are told apart.
const ALIASES: &str = "whatsapp_aliases";

/// The conversation that a message belongs to, as its ids are known now.
pub(super) fn route(
    tx: &Tx<'_>,
    inbound: &Inbound,
    isolation: Isolation,
) -> Result<Result<Route, Refusal>, Fault> {
    let arrived = moves::arrived(tx, inbound)?;
    let inbound = arrived.as_ref().unwrap_or(inbound);
    let aliases = match key::known_by(&Place::of(inbound), isolation) {
        None => Aliases::default(),
        Some(id) => of(tx, id)?,
    };
    Ok(intake::check(inbound, isolation, &aliases))
}

/// The row of the id, if it has one.
pub(super) fn of(tx: &Tx<'_>, id: &str) -> Result<Aliases, Fault> {
    let sql = "SELECT alias, person, since FROM whatsapp_aliases WHERE alias = ?1";
    Ok(Aliases::of(tx.one(sql, [normalise(id)], alias)?))
}

/// The same for a message that would be the first under the id, so that no other is.
pub(super) fn of_newcomer(tx: &Tx<'_>, id: &str) -> Result<Aliases, Fault> {
    let known = of(tx, id)?;
    if known.meet(id, tx.now()).is_some() {
        hold::named(tx, ALIASES)?;
        return of(tx, id);
    }
    Ok(known)
}

/// Writes down that the two are one person; returns the rows that changed.
pub(super) fn learn(tx: &Tx<'_>, pair: &Pair) -> Result<Vec<Alias>, Fault> {
    hold::named(tx, ALIASES)?;
    let known = tx.all(
        "SELECT alias, person, since FROM whatsapp_aliases WHERE alias = ?1 OR alias = ?2 \
         OR person = (SELECT person FROM whatsapp_aliases WHERE alias = ?1) \
         OR person = (SELECT person FROM whatsapp_aliases WHERE alias = ?2)",
        [normalise(&pair.one), normalise(&pair.other)],
        alias,
    )?;
    let learned = Aliases::of(known).learn(&pair.one, &pair.other, tx.now());
    write(tx, &learned)?;
    Ok(learned)
}

/// Writes rows over those of the same alias.
pub(super) fn write<'a>(
    tx: &Tx<'_>,
    rows: impl IntoIterator<Item = &'a Alias>,
) -> Result<(), Fault> {
    for row in rows {
        tx.also(
            "INSERT INTO whatsapp_aliases (alias, person, since) VALUES (?1, ?2, ?3) \
             ON CONFLICT (alias) DO UPDATE SET person = excluded.person, since = excluded.since",
            params![row.alias, row.primary, row.since.ms()],
        )?;
    }
    Ok(())
}

fn alias(row: &Row<'_>) -> Result<Alias, Fault> {
    Ok(Alias {
        alias: row.get(0)?,
        primary: row.get(1)?,
        since: rows::time(row, 2)?,
    })
}
