//! What platforms push: steps 1 to 5 for one request of a platform's server.
//!
//! The adapter reads the request and hands over what it says; the door commits it; then the request is answered. A
//! request that dies on the way is sent again by the platform, and what was committed of it is recognised.

use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_platforms::Adapter;
use angelia_platforms::push::{NotTaken, Push};
use angelia_platforms::sink::{self, Source};

use crate::door::Door;

/// One request.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The account that it is for.
    pub account: &'a str,
    /// The word by which the platform shows that it is the platform.
    pub secret: Option<&'a str>,
    /// What it says.
    pub body: &'a [u8],
}

/// Why a request was not taken, by what its sender should do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unpushed {
    /// Nothing is pushed there.
    NotHere,
    /// It does not come from the platform.
    Forbidden,
    /// It cannot be read.
    Unreadable,
    /// It is to be sent again.
    NotNow,
}

/// Takes a request through the adapter of its account.
pub(crate) async fn take(
    adapter: Option<&Arc<dyn Adapter>>,
    door: &Door,
    request: Request<'_>,
) -> Result<(), Unpushed> {
    let adapter = adapter.ok_or(Unpushed::NotHere)?;
    let push = Push {
        secret: request.secret,
        body: request.body,
    };
    let (sink, source) = sink::channel();
    let account = AccountId(request.account.to_owned());
    tokio::select! {
        biased;
        pushed = adapter.pushed(push, &sink) => pushed.map_err(Unpushed::from),
        () = taking(source, &account, door) => Err(Unpushed::NotNow),
    }
}

/// Takes what is handed over, until the first that cannot be taken now.
async fn taking(mut source: Source, account: &AccountId, door: &Door) {
    while let Some((mut arrival, promise)) = source.next().await {
        // Requests come in any order: one that was taken says nothing about those before it.
        arrival.cursor = None;
        if door.hear(account, &arrival).await.is_err() {
            return;
        }
        // The adapter may be gone; then nobody waits for the answer.
        let _gone = promise.send(()).is_err();
    }
}

impl From<NotTaken> for Unpushed {
    fn from(why: NotTaken) -> Self {
        match why {
            NotTaken::NotHere => Self::NotHere,
            NotTaken::Forbidden => Self::Forbidden,
            NotTaken::Unreadable => Self::Unreadable,
            NotTaken::NotNow => Self::NotNow,
        }
    }
}
