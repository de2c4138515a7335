//! Texts with whether they may stand for a conversation or would be a path.

use angelia_core::id::SessionId;
use angelia_core::session::guard;
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the vectors")]
struct Case {
    id: String,
    value: Value,
    session_id_unsafe: bool,
    session_key_unsafe_release: bool,
}

#[test]
fn what_would_be_a_path_names_no_conversation() {
    for case in cases::<Case>("sessions/path_safety.json") {
        let id = &case.id;
        // Nothing, a number and a truth value name no conversation at all: `entries` refuses them.
        let Some(text) = case.value.as_str() else {
            continue;
        };
        let names_nothing = text.is_empty() || text.contains('\0');
        let is_safe = |is_unsafe: bool| !is_unsafe && !names_nothing;
        assert_eq!(guard::is_id(text), is_safe(case.session_id_unsafe), "{id}");
        let key = is_safe(case.session_key_unsafe_release);
        assert_eq!(guard::is_key(text), key, "{id}");
        let is_ours = text.parse::<SessionId>().is_ok();
        assert!(!(case.session_id_unsafe && is_ours), "{id}");
    }
}
