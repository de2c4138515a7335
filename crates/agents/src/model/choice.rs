//! The provider that a conversation's own choice of a model leads to.
//!
//! Only places of the configuration are ever asked: they have the keys. A choice names a model, and may name
//! one of these places by the kind of its wire or by its address. A place that already has the model is
//! preferred; otherwise the first one that fits is asked for it. An address that is not in the configuration is
//! refused: no key of ours goes there, and nothing that was said either.

use angelia_core::session::model_override::ModelOverride;

use super::failure::Failure;
use super::provider::Provider;

/// The provider to ask, with the model that was chosen.
pub(super) fn find(all: &[Provider], chosen: &ModelOverride) -> Result<Provider, Failure> {
    let fits = |provider: &&Provider| {
        let named = chosen.provider();
        named.is_none_or(|name| provider.wire().name() == name)
            && chosen.base_url().is_none_or(|base| provider.is_at(base))
    };
    let fitting: Vec<&Provider> = all.iter().filter(fits).collect();
    let has = |provider: &&&Provider| Some(provider.model()) == chosen.model();
    let found = fitting.iter().find(has).or(fitting.first());
    let found = found.ok_or_else(|| Failure::Refused(nowhere(chosen)))?;
    Ok(match chosen.model() {
        Some(model) => found.with_model(model),
        None => Provider::clone(found),
    })
}

fn nowhere(chosen: &ModelOverride) -> String {
    let place = chosen.provider().or(chosen.base_url()).unwrap_or_default();
    format!(
        "this conversation chose {place}, which is not in the configuration; /model clear takes the usual model"
    )
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
