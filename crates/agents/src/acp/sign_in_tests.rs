use super::*;
use crate::acp::peer::SIGN_IN;

#[test]
fn what_an_agent_offers_is_told_with_the_key_to_set() {
    let why = Failure::new(SIGN_IN, "Authentication required");
    let told = json!({ "authMethods": [
        { "id": "gemini-api-key", "name": "Use Gemini API key" },
        { "id": "oauth-personal" },
        { "name": "nameless" },
    ] });
    assert_eq!(
        wanted(&why, &told),
        "wants somebody to sign in first: Authentication required; it offers `gemini-api-key` (Use Gemini API key), \
         `oauth-personal`: set `agent.sign_in` to one of them, and what it needs in `[agent.env]`"
    );
    let nothing = wanted(&why, &json!({ "authMethods": [] }));
    assert!(
        nothing.contains("its own program") && !nothing.contains("offers"),
        "{nothing}"
    );
    let refused = refused("openai", &why, &told);
    assert!(
        refused.contains("`openai`") && refused.contains("`gemini-api-key`"),
        "{refused}"
    );
}
