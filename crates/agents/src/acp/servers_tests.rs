use super::*;

fn servers() -> Vec<Settings> {
    let word = |text: &str| Secret::new(text);
    let program = Way::Program {
        words: ["npx", "-y", "files"].map(str::to_owned).to_vec(),
        variables: vec![("KEY".to_owned(), word("sesame"))],
    };
    let address = Way::Address {
        url: word("https://mcp.example/x"),
        headers: vec![("Authorization".to_owned(), word("Bearer b"))],
    };
    vec![
        Settings::new("files", program),
        Settings::new("far", address),
        Settings::new("none", Way::Nowhere("no key".to_owned())),
    ]
}

#[test]
fn programs_are_for_every_agent_and_addresses_for_those_that_can() {
    let files = json!({ "name": "files", "command": "npx", "args": ["-y", "files"],
        "env": [{ "name": "KEY", "value": "sesame" }] });
    let far = json!({ "type": "http", "name": "far", "url": "https://mcp.example/x",
        "headers": [{ "name": "Authorization", "value": "Bearer b" }] });
    assert_eq!(described(&servers(), &Value::Null), json!([files]));
    assert_eq!(
        described(&servers(), &json!({ "http": true })),
        json!([files, far])
    );
}
