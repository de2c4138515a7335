//! The model that one conversation chose for itself, as far as it may be written down.
//!
//! Three texts survive: model, provider and base address. Everything else that comes with a choice
//! of a model (keys, headers, pools, modes) is dropped when it is set, when it is read back and
//! when it is written, because this type has no place for it. An address loses what can carry a
//! secret: the name and password in it, and a query, which a base that paths are added to cannot
//! use. Credentials are looked up anew for the provider when the model is used; not here.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A conversation's own choice of a model. At least one of the three is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelOverride {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
}

impl ModelOverride {
    /// What may be kept of a choice, or nothing. Only texts are taken: a number or a list is no
    /// model anyone can run.
    #[must_use]
    pub fn of(chosen: &Value) -> Option<Self> {
        let chosen = chosen.as_object()?;
        let kept = Self {
            model: text(chosen, "model"),
            provider: text(chosen, "provider"),
            base_url: text(chosen, "base_url").and_then(|url| without_secrets(&url)),
        };
        (!kept.is_empty()).then_some(kept)
    }

    /// The model.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Who runs it.
    pub fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// Where it is reached.
    pub fn base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    fn is_empty(&self) -> bool {
        self.model.is_none() && self.provider.is_none() && self.base_url.is_none()
    }
}

impl<'de> Deserialize<'de> for ModelOverride {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let stored = Value::deserialize(from)?;
        let why = "a stored choice of a model names no model, provider or base_url; clear it";
        Self::of(&stored).ok_or_else(|| serde::de::Error::custom(why))
    }
}

fn text(chosen: &Map<String, Value>, name: &str) -> Option<String> {
    let text = chosen.get(name)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}

/// The address without user information, query and fragment. What has an `@` where no host can be
/// is not kept at all: nobody knows which part of it is secret.
fn without_secrets(url: &str) -> Option<String> {
    let base = url.split(['?', '#']).next()?;
    let Some((scheme, rest)) = base.split_once("://") else {
        return Some(base.to_owned()).filter(|base| !base.is_empty() && !base.contains('@'));
    };
    let (authority, path) = rest.split_at(rest.find(['/', '\\']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next()?;
    (!scheme.contains('@')).then(|| format!("{scheme}://{host}{path}"))
}

#[cfg(test)]
#[path = "model_override_tests.rs"]
mod tests;
