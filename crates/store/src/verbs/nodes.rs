//! Boots.
//!
//! A boot that begins proves that earlier boots of the same home are dead, so their leases end now.
//! Only leases that can still be live are looked at: those of open turns and those that are not a
//! conversation's. A million conversations that rest cost nothing.

use angelia_core::id::NodeId;
use angelia_core::time::Span;

use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::leases::Boot;

/// `session/` is followed by `session0` in the order of names.
const ENDINGS: [&str; 3] = [
    "UPDATE leases SET holder = '', ends_at = 0 WHERE holder <> '' AND name IN \
     (SELECT 'session/' || s.id FROM turns t JOIN sessions s ON s.seq = t.session \
     WHERE t.state = 'open') AND node IN (SELECT id FROM nodes WHERE home = ?1 AND id <> ?2)",
    "UPDATE leases SET holder = '', ends_at = 0 WHERE holder <> '' AND name < 'session/' \
     AND node IN (SELECT id FROM nodes WHERE home = ?1 AND id <> ?2)",
    "UPDATE leases SET holder = '', ends_at = 0 WHERE holder <> '' AND name >= 'session0' \
     AND node IN (SELECT id FROM nodes WHERE home = ?1 AND id <> ?2)",
];

/// Registers a boot and ends the leases of earlier ones of its home.
pub(super) fn start(tx: &Tx<'_>, boot: &Boot) -> Result<(), Fault> {
    let (node, now) = (boot.node.to_string(), tx.now().ms());
    for ending in ENDINGS {
        tx.also(ending, params![boot.home, node])?;
    }
    tx.also(
        "INSERT INTO nodes (id, home, place, version, started_at, seen_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
        params![node, boot.home, boot.place, boot.version, now],
    )?;
    Ok(())
}

/// Says that the boot lives.
pub(super) fn see(tx: &Tx<'_>, node: NodeId) -> Result<(), Fault> {
    let sql = "UPDATE nodes SET seen_at = ?2 WHERE id = ?1";
    tx.also(sql, params![node.to_string(), tx.now().ms()])?;
    Ok(())
}

/// Marks the boot as ended.
pub(super) fn stop(tx: &Tx<'_>, node: NodeId) -> Result<(), Fault> {
    let sql = "UPDATE nodes SET seen_at = ?2, stopped_at = ?2 WHERE id = ?1";
    tx.also(sql, params![node.to_string(), tx.now().ms()])?;
    Ok(())
}

/// Removes boots not seen for longer than `kept`, and wishes for restarts that were over by then.
pub(super) fn sweep(tx: &Tx<'_>, kept: Span) -> Result<usize, Fault> {
    let before = (tx.now() - kept).ms();
    tx.also("DELETE FROM restarts WHERE ended_at < ?1", [before])?;
    tx.run("DELETE FROM nodes WHERE seen_at < ?1", [before])
}
