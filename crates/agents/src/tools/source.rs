//! Tools that come from elsewhere: what brings them, and what they promise.
//!
//! A source has a name and offers tools under names of its own. The toolbox shows each as
//! `source__tool`, so two sources never meet, and no source takes the place of a tool of the house. What
//! is offered may change while the gateway runs: a turn uses what was offered when it began.
//!
//! The toolbox writes calls down before and after, and shortens and masks what they answer. A source only
//! makes them; how long one may take, and whether its other side is there at all, is the source's business.

use std::fmt;
use std::sync::Arc;

use angelia_core::recovery::EffectClass;
use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// A tool as its source tells of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// Its name there.
    pub name: String,
    /// What it is for, in words for a model.
    pub description: String,
    /// Its arguments as a JSON schema: that of an object.
    pub parameters: Value,
    /// What may be done about a call that began and was not seen to end.
    pub effect: EffectClass,
}

/// A picture that somebody brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brought {
    /// Its bytes, whatever they are.
    pub bytes: Vec<u8>,
    /// What it is called there.
    pub name: Option<String>,
}

/// What somebody answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetched {
    /// The words and values.
    pub told: Value,
    /// The pictures.
    pub pictures: Vec<Brought>,
}

impl From<Value> for Fetched {
    fn from(told: Value) -> Self {
        Self {
            told,
            pictures: Vec::new(),
        }
    }
}

/// Where tools come from.
#[async_trait]
pub trait ToolSource: fmt::Debug + Send + Sync {
    /// Its name: letters, digits, `-` and `_`. Rules name all of its tools by it.
    fn name(&self) -> &str;

    /// What it offers now. The same list (the same `Arc`) as long as nothing has changed: what is made of it
    /// is kept.
    fn offers(&self) -> Arc<[Offer]>;

    /// Calls the tool that it offered under this name. Whatever goes wrong is an answer too, with `error` in
    /// it. `stop` is cancelled when nobody waits any more; the future may be dropped at any time as well.
    async fn call(&self, tool: &str, arguments: Value, stop: CancellationToken) -> Fetched;
}
