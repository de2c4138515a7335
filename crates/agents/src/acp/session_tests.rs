use super::*;

#[test]
fn an_agent_is_taken_up_the_way_it_offers() {
    let both = json!({ "loadSession": true, "sessionCapabilities": { "resume": {} } });
    assert_eq!(way_back(&both), Some("session/resume"));
    assert_eq!(
        way_back(&json!({ "loadSession": true })),
        Some("session/load")
    );
    let neither = json!({ "loadSession": false, "sessionCapabilities": { "resume": null } });
    assert_eq!(way_back(&neither), None);
    assert_eq!(way_back(&Value::Null), None);
}
