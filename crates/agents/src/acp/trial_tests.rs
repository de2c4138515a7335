use serde_json::json;

use super::*;

#[test]
fn what_an_agent_can_is_told_in_words() {
    let told = json!({
        "protocolVersion": 1,
        "agentInfo": { "name": "peer", "version": "2.1" },
        "agentCapabilities": {
            "loadSession": true,
            "sessionCapabilities": { "resume": {} },
            "promptCapabilities": { "image": false },
            "mcpCapabilities": { "http": true },
        },
    });
    let greeted = read(&told).unwrap();
    assert_eq!(greeted.name.as_deref(), Some("peer 2.1"));
    assert_eq!(
        greeted.can,
        [
            "resume conversations",
            "load conversations",
            "reach MCP servers on the network"
        ]
    );
    let silent = read(&json!({ "protocolVersion": 1 })).unwrap();
    assert_eq!((silent.name, silent.can.len()), (None, 0));
}

#[test]
fn another_version_of_the_protocol_is_said() {
    for (told, says) in [
        (json!({ "protocolVersion": 7 }), "version 7"),
        (json!({}), "version null"),
    ] {
        let why = read(&told).unwrap_err();
        assert!(why.contains(says), "{why}");
    }
}
