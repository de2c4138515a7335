use angelia_process::environment::{Hidden, hidden};

use super::*;
use crate::config::keys::{KEYS, LATER};

#[test]
fn a_command_may_take_some_minutes_and_no_more() {
    assert_eq!(timeout("180s"), Ok(Span::seconds(180)));
    assert_eq!(timeout("10m"), Ok(Span::minutes(10)));
    for wrong in ["0s", "601s", "soon"] {
        assert!(timeout(wrong).unwrap_err().contains("must be"), "{wrong}");
    }
}

#[test]
fn what_is_named_passes_and_no_secret_does() {
    let passed = pass_env("CARGO_HOME, MY_TOKEN").unwrap();
    assert_eq!(
        passed.names().collect::<Vec<_>>(),
        ["CARGO_HOME", "MY_TOKEN"]
    );
    assert_eq!(pass_env(""), Ok(Passed::default()));
    for secret in ["OPENAI_API_KEY", "AUXILIARY_X_API_KEY", "ANGELIA_HOME"] {
        let refused = pass_env(secret).unwrap_err();
        assert!(
            refused.contains(secret) && refused.contains("never"),
            "{refused}"
        );
    }
}

/// Every key can be meant by a variable of ours one day; none of these ever reaches a command.
#[test]
fn no_variable_that_sets_us_up_can_pass() {
    let keys = KEYS.iter().map(|key| key.path).chain(LATER);
    for key in keys {
        let name = key.to_uppercase().replace(['.', '*'], "_");
        let name = format!("ANGELIA_{name}");
        assert_eq!(hidden(&name), Some(Hidden::Own), "{name}");
    }
    for name in [
        "ANGELIA_HOME",
        "ANGELIA_CONFIG",
        "ANGELIA_DATABASE",
        "ANGELIA_LOG",
    ] {
        assert_eq!(hidden(name), Some(Hidden::Own), "{name}");
    }
}
