//! Signing in from a browser.

use serde::{Deserialize, Serialize};

/// What the console sends to sign in. It has no `Debug`: the token must not reach a log.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignInRequest {
    /// The access token.
    pub token: String,
}

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Me {
    /// Always true: whoever is not signed in gets 401.
    pub signed_in: bool,
}
