//! What is on its way to a process: keys, its end of input, the size of the window.
//!
//! One call at a time, so that everything arrives in the order it was typed in; what is typed while a call
//! is under way goes with the next, so that typing fast costs no more calls than the way allows. A call
//! that nobody answered is not made again: it may have arrived, and a key pressed twice is worse than one
//! that is missed.

use std::future::Future;
use std::pin::Pin;

use angelia_api::client::{Client, ClientError};
use angelia_api::wire::v1::process::ResizeWish;
use angelia_core::id::ProcessId;

/// What may wait; more is left in the keyboard.
const WAITING_BYTES_MAX: usize = 64 * 1024;

type Call = Pin<Box<dyn Future<Output = Result<(), ClientError>>>>;

/// What waits to go out, and what is under way.
pub(super) struct Outgoing {
    id: ProcessId,
    keys: Vec<u8>,
    end: End,
    size: Option<ResizeWish>,
    under_way: Option<(What, Call)>,
    /// What the last call that ended was about.
    last: What,
}

/// Whether the input ends after the keys that wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Asked,
}

/// What a call is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Size,
    Input,
}

impl Outgoing {
    /// To a process, whose window has this size.
    pub(super) fn to(id: ProcessId, size: Option<ResizeWish>) -> Self {
        Self {
            id,
            keys: Vec::new(),
            end: End::Open,
            size,
            under_way: None,
            last: What::Size,
        }
    }

    pub(super) fn write(&mut self, keys: &[u8]) {
        self.keys.extend_from_slice(keys);
    }

    /// Lets the input end after what was written.
    pub(super) fn close(&mut self) {
        self.end = End::Asked;
    }

    pub(super) fn tell_size(&mut self, size: Option<ResizeWish>) {
        self.size = size;
    }

    pub(super) fn has_room(&self) -> bool {
        self.keys.len() < WAITING_BYTES_MAX
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Whether it was input that the last call was about.
    pub(super) fn is_refused(&self) -> bool {
        self.last == What::Input
    }

    /// Makes the next call, unless one is under way or there is nothing to say.
    pub(super) fn start(&mut self, client: &Client) {
        if self.under_way.is_none() {
            self.under_way = self.next(client.clone());
        }
    }

    fn next(&mut self, client: Client) -> Option<(What, Call)> {
        let id = self.id;
        if let Some(size) = self.size.take() {
            return Some((What::Size, Box::pin(resize(client, id, size))));
        }
        if !self.keys.is_empty() {
            let keys = std::mem::take(&mut self.keys);
            let call = async move { client.write_bytes(id, keys).await.map(drop) };
            return Some((What::Input, Box::pin(call)));
        }
        if self.end == End::Asked {
            self.end = End::Open;
            let call = async move { client.close(id).await.map(drop) };
            return Some((What::Input, Box::pin(call)));
        }
        None
    }

    /// How the call under way ended. It goes on if this is dropped.
    pub(super) async fn done(&mut self) -> Result<(), ClientError> {
        let Some((what, call)) = &mut self.under_way else {
            return Ok(());
        };
        let done = call.await;
        self.last = *what;
        self.under_way = None;
        done
    }
}

/// Gives the process the size of the window. One line less before it makes sure that it is a change, so
/// that a program which draws a whole screen draws it now.
async fn resize(client: Client, id: ProcessId, size: ResizeWish) -> Result<(), ClientError> {
    let rows = size.rows.saturating_sub(1).max(1);
    client.resize(id, ResizeWish { rows, ..size }).await?;
    client.resize(id, size).await.map(drop)
}
