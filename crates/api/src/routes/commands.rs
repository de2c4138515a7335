//! `/api/v1/commands`: what can be written in chat beside words, for completions.

use axum::Json;

use crate::wire::v1::command::Commands;

/// Tells all commands. They are the same for everyone who may ask.
pub(super) async fn list() -> Json<Commands> {
    Json(Commands::all())
}
