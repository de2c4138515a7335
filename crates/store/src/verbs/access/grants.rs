//! Leave to speak. A grant holds while `revoked_at` is NULL; at most one of a person on an account does.

use angelia_core::access::grant::{By, Grant, Holder};
use angelia_core::access::words;
use angelia_core::address::AccountId;
use angelia_core::id::GrantId;
use angelia_core::toolset::Role;

use super::knocks;
use super::known;
use super::read::{grant, grant_sql};
use crate::access::{Admit, Admitted, Give, GrantFilter, Which};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::verbs::outbox::{self, Told};
use crate::verbs::pages::{self, Start};
use crate::verbs::rows;
use crate::views::{Page, Range};

/// Lets somebody in who knocked.
pub(super) fn admit(tx: &Tx<'_>, admit: &Admit) -> Result<Admitted, Fault> {
    let Some(knock) = knocks::one(tx, admit.knock)? else {
        return Ok(Admitted::Nobody);
    };
    let Holder {
        account, person, ..
    } = &knock.holder;
    super::hold(tx, account)?;
    if let Some(held) = held_by(tx, account, person)? {
        knocks::end_of(tx, account, person)?;
        return Ok(Admitted::Before(Box::new(held)));
    }
    if !knocks::waits(tx, admit.knock)? {
        return Ok(Admitted::Nobody);
    }
    knocks::end_of(tx, account, person)?;
    let told = (admit.delivery, words::welcome());
    outbox::tell(tx, &knock.address, Told::Welcome, (told.0, &told.1))?;
    let given = insert(
        tx,
        &Give {
            grant: admit.grant,
            holder: knock.holder,
            role: admit.role,
            by: admit.by.clone(),
            why: admit.why.clone(),
        },
    )?;
    Ok(Admitted::Now(Box::new(given)))
}

/// Gives leave, in place of other leave that the person has.
pub(super) fn give(tx: &Tx<'_>, give: &Give) -> Result<Grant, Fault> {
    let mut give = give.clone();
    let Holder {
        platform,
        account,
        person,
        ..
    } = &mut give.holder;
    super::hold(tx, account)?;
    *person = known(tx, *platform, person)?;
    knocks::end_of(tx, account, person)?;
    match held_by(tx, account, person)? {
        Some(held) if held.role == give.role => return Ok(held),
        Some(held) => revoke(tx, &held, &give.by, Some(&changed(give.role)))?,
        None => (),
    }
    insert(tx, &give)
}

fn changed(role: Role) -> String {
    format!("now {}", role.name())
}

fn insert(tx: &Tx<'_>, give: &Give) -> Result<Grant, Fault> {
    let holder = &give.holder;
    tx.insert(
        "INSERT INTO access_grants (id, platform, account, person, name, role, granted_by, \
         granted_at, why) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            give.grant.to_string(),
            holder.platform.name(),
            holder.account.0,
            holder.person,
            holder.name,
            give.role.name(),
            give.by.to_string(),
            tx.now().ms(),
            give.why,
        ],
    )?;
    one(tx, give.grant)?.ok_or_else(|| rows::undecodable("a new grant is not there"))
}

fn one(tx: &Tx<'_>, id: GrantId) -> Result<Option<Grant>, Fault> {
    tx.one(grant_sql!("WHERE g.id = ?1"), [id.to_string()], grant)
}

/// What the person has on the account.
pub(super) fn held_by(
    tx: &Tx<'_>,
    account: &AccountId,
    person: &str,
) -> Result<Option<Grant>, Fault> {
    let sql = grant_sql!("WHERE g.account = ?1 AND g.person = ?2 AND g.revoked_at IS NULL");
    tx.one(sql, [&account.0, person], grant)
}

/// Takes a grant back that holds.
pub(super) fn take_back(
    tx: &Tx<'_>,
    which: &Which,
    by: &By,
    why: Option<&str>,
) -> Result<Option<Grant>, Fault> {
    let held = match which {
        Which::Id(id) => {
            if let Some(grant) = one(tx, *id)? {
                super::hold(tx, &grant.holder.account)?;
            }
            one(tx, *id)?.filter(|grant| grant.revoked.is_none())
        }
        Which::Person(account, person) => {
            super::hold(tx, account)?;
            held_by(tx, account, person)?
        }
    };
    let Some(held) = held else {
        return Ok(None);
    };
    revoke(tx, &held, by, why)?;
    one(tx, held.id)
}

fn revoke(tx: &Tx<'_>, held: &Grant, by: &By, why: Option<&str>) -> Result<(), Fault> {
    tx.also(
        "UPDATE access_grants SET revoked_at = ?2, revoked_by = ?3, revoked_why = ?4 WHERE id = ?1",
        params![held.id.to_string(), tx.now().ms(), by.to_string(), why],
    )?;
    Ok(())
}

/// Grants, newest first.
pub(super) fn list(tx: &Tx<'_>, filter: GrantFilter, range: &Range) -> Result<Page<Grant>, Fault> {
    let before = match pages::start(range) {
        Start::First => i64::MAX,
        Start::After(seq, _) => seq,
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let sql = match filter {
        GrantFilter::Held => {
            grant_sql!("WHERE g.revoked_at IS NULL AND g.seq < ?1 ORDER BY g.seq DESC LIMIT ?2")
        }
        GrantFilter::All => grant_sql!("WHERE g.seq < ?1 ORDER BY g.seq DESC LIMIT ?2"),
    };
    let found = tx.all(sql, params![before, pages::asked(range)], |row| {
        Ok((row.get::<i64>(0)?.to_string(), grant(row)?))
    })?;
    Ok(pages::page(range, found))
}
