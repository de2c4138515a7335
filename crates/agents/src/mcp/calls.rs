//! Calls of a server's tools: each within its time, and with an answer whatever happens.
//!
//! A call waits for a server that is starting. One that was under way when its server died is made again
//! if its effect class allows it, or if the server was not even reached; otherwise its outcome is not known. So it is with
//! one that a server answers with nothing but a failure; the connection, which others use too, stays. Where such an answer
//! may also mean that the server knows us no more, it is asked something else: if it does not take that either, it is
//! connected to anew, and the call, which nobody took, is made again.

use std::sync::Arc;

use angelia_core::recovery::{self, CallRecovery};
use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::answer;
use super::client::Trouble;
use super::life::Server;
use super::state::{Now, Ready};
use crate::tools::source::{Fetched, Offer, ToolSource};

/// How often a call was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tries {
    First,
    Again,
}

#[async_trait]
impl ToolSource for Server {
    fn name(&self) -> &str {
        &self.source
    }

    fn offers(&self) -> Arc<[Offer]> {
        let now = self.now.borrow();
        let offers = now.listing().map(|listing| listing.offers.clone());
        offers.unwrap_or_else(|| self.nothing.clone())
    }

    async fn call(&self, tool: &str, arguments: Value, stop: CancellationToken) -> Fetched {
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Map::new(),
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => json!({ "error": "nobody waits for the answer any more" }).into(),
            answer = self.answer(tool, arguments) => answer,
        }
    }
}

impl Server {
    /// The connection, as soon as there is one.
    async fn ready(&self) -> Result<Ready, String> {
        let mut watching = self.now.subscribe();
        let decided = watching.wait_for(|now| !matches!(now, Now::Starting(_)));
        let decided = timeout(self.settings.start_time.to_std(), decided).await;
        let now = decided.ok().and_then(Result::ok).map(|now| now.clone());
        match now {
            Some(Now::Ready(ready)) => Ok(*ready),
            Some(Now::Down(why)) => Err(format!("it is down: {why}")),
            Some(Now::Ended) => Err("the gateway is stopping".to_owned()),
            Some(Now::Starting(_)) | None => Err("it is still starting".to_owned()),
        }
    }

    async fn answer(&self, tool: &str, arguments: Map<String, Value>) -> Fetched {
        let mut tries = Tries::First;
        loop {
            let ready = match self.ready().await {
                Ok(ready) => ready,
                Err(why) => return self.error(&format!("cannot be asked: {why}")).into(),
            };
            let asked = ready.line.call(tool, arguments.clone());
            let trouble = match timeout(self.settings.time.to_std(), asked).await {
                Ok(Ok(answer)) => return answer::fetched(answer),
                Ok(Err(trouble)) => self.looked_into(trouble, &ready).await,
                Err(_) => return self.late(tool).into(),
            };
            let by_effect = || recovery::call(ready.listing.effect(tool));
            let may_go_again = match &trouble {
                Trouble::Refused(why) | Trouble::Odd(why) => {
                    return self.error(&format!("says: {why}")).into();
                }
                Trouble::Turned(why) => return self.turned(why).into(),
                Trouble::Broke(_) => by_effect(),
                Trouble::Unreached(_) | Trouble::Shut(_) => {
                    self.lost(&ready).await;
                    CallRecovery::CallAgain
                }
                Trouble::Lost(_) => {
                    self.lost(&ready).await;
                    by_effect()
                }
            };
            match (tries, may_go_again) {
                (Tries::First, CallRecovery::CallAgain) => tries = Tries::Again,
                (Tries::First, CallRecovery::TellUnknown) | (Tries::Again, _) => {
                    return self.gone(tool, &trouble).into();
                }
            }
        }
    }

    /// What a refusal means, seen closely: where other requests go through, it is about this one alone.
    async fn looked_into(&self, trouble: Trouble, ready: &Ready) -> Trouble {
        let Trouble::Shut(why) = trouble else {
            return trouble;
        };
        let is_open = timeout(self.settings.time.to_std(), ready.line.is_open()).await;
        // One that says nothing in time may have a long list.
        match is_open.unwrap_or(true) {
            true => Trouble::Turned(why),
            false => Trouble::Shut(why),
        }
    }

    /// Waits until the broken connection is not what calls go over any more.
    async fn lost(&self, broken: &Ready) {
        broken.broken.cancel();
        let is_it = |now: &Now| matches!(now, Now::Ready(ready) if ready.since == broken.since);
        let mut watching = self.now.subscribe();
        // The sender is ours, so the wait ends only when there is nothing to wait for.
        let _waited = watching.wait_for(|now| !is_it(now)).await.is_ok();
    }

    fn error(&self, what: &str) -> Value {
        let name = &self.settings.name;
        json!({ "error": format!("the MCP server `{name}` {what}") })
    }

    fn turned(&self, why: &str) -> Value {
        self.error(&format!("did not take the call: {why}"))
    }

    fn late(&self, tool: &str) -> Value {
        let seconds = self.settings.time.to_std().as_secs_f32();
        let name = &self.settings.name;
        json!({
            "status": "timeout",
            "error": format!(
                "`{tool}` of the MCP server `{name}` took longer than {seconds} seconds and was cancelled; \
                 whether it did anything is not known"
            ),
        })
    }

    fn gone(&self, tool: &str, trouble: &Trouble) -> Value {
        let (name, why) = (&self.settings.name, trouble.words());
        let what = match trouble {
            Trouble::Unreached(_) => return self.error(&format!("was not reached: {why}")),
            Trouble::Shut(why) => return self.turned(why),
            Trouble::Broke(_) => "broke down",
            Trouble::Lost(_) | Trouble::Refused(_) | Trouble::Odd(_) | Trouble::Turned(_) => {
                "went away"
            }
        };
        json!({
            "status": "unknown",
            "error": format!(
                "the MCP server `{name}` {what} while `{tool}` ran: {why}; whether it did anything is not known"
            ),
        })
    }
}
