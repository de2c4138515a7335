//! Who may speak, as an operator with the gateway's token changes it. In a chat it is `commands::access`.

use angelia_core::access::code::Code;
use angelia_core::access::grant::{By, Grant};
use angelia_core::id::KnockId;
use angelia_core::time::Timestamp;
use angelia_core::toolset::Role;
use angelia_store::StoreError;
use angelia_store::access::{Admit, Admitted, Recognised};

use crate::ground::Ground;

/// Whom to let in.
#[derive(Debug, Clone)]
pub enum Whom {
    /// Whoever was given this code.
    Code(Code),
    /// Whoever knocked so.
    Knock(KnockId),
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approved {
    /// They may speak.
    Done(Box<Grant>),
    /// Nobody waits who was given that code, or who knocked so.
    Nobody,
    /// Too many codes were wrong: none counts before then.
    Locked(Timestamp),
}

/// Lets somebody in who knocked.
///
/// # Errors
/// The store did not answer; they may have been let in or not.
pub async fn approve(
    ground: &Ground,
    whom: Whom,
    role: Role,
    why: Option<String>,
) -> Result<Approved, StoreError> {
    let knock = match whom {
        Whom::Knock(knock) => knock,
        Whom::Code(code) => match ground.store.recognise(code, None).await? {
            Recognised::Knock(knock) => knock,
            Recognised::Wrong => return Ok(Approved::Nobody),
            Recognised::Locked(until) => return Ok(Approved::Locked(until)),
        },
    };
    let admit = Admit {
        knock,
        grant: ground.env.grant_id(),
        delivery: ground.env.delivery_id(),
        role,
        by: By::Token,
        why,
    };
    Ok(match ground.store.admit(admit).await? {
        Admitted::Now(grant) => {
            ground.bells.outbox(&grant.holder.account).ring();
            Approved::Done(grant)
        }
        Admitted::Before(grant) => Approved::Done(grant),
        Admitted::Nobody => Approved::Nobody,
    })
}
