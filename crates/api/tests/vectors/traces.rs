//! `gateway/api_traces`: requests and answers in a row, with an agent that plays a script.
//!
//! Each answer is judged by itself: it is the same, or one of the groups that `docs/conformance.md` names. Words of errors,
//! ids and names of headers are ours.

use std::collections::BTreeMap;

use reqwest::{Method, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cases;
use crate::house::{House, TOKEN};
use crate::script::{Player, Saw, Script, house_of};

#[derive(Deserialize)]
struct Trace {
    id: String,
    settings: Value,
    agent_scripts: Vec<Script>,
    requests: Vec<Asked>,
    responses: Vec<Theirs>,
}

#[derive(Clone, Deserialize)]
struct Asked {
    method: String,
    path: String,
    #[serde(default)]
    body: Value,
    raw: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    auth: Option<bool>,
}

#[derive(Deserialize)]
struct Theirs {
    status: u16,
    #[serde(default)]
    json: Value,
    #[serde(default)]
    events: Vec<Value>,
    #[serde(default)]
    agent_saw: Vec<Value>,
}

/// An answer of ours.
struct Ours {
    status: u16,
    headers: reqwest::header::HeaderMap,
    body: String,
    saw: Vec<Saw>,
}

impl Ours {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The chunks of a stream, without its end.
    fn chunks(&self) -> Vec<Value> {
        let blocks = self.body.split("\n\n");
        let data = blocks.filter_map(|block| block.strip_prefix("data: "));
        data.filter_map(|data| serde_json::from_str(data).ok())
            .collect()
    }

    fn streamed(&self) -> String {
        words(&self.chunks())
    }
}

/// The words that chunks add up to.
fn words(chunks: &[Value]) -> String {
    let words = chunks.iter();
    words
        .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str())
        .collect()
}

const CHAT: &str = "/v1/chat/completions";

/// What there is here. The reference's interface for runs is `/api/v1` with us, and `/v1/responses` is not there yet.
const PATHS: [&str; 4] = [CHAT, "/v1/models", "/health", "/nope"];

/// Headers that have another name here, or none.
fn header(name: &str) -> Option<&str> {
    match name {
        "X-Hermes-Session-Id" => Some("x-angelia-session"),
        "X-Hermes-Session-Key" => None,
        other => Some(other),
    }
}

async fn answer(house: &House, player: &Player, asked: &Asked) -> Ours {
    let method: Method = asked.method.parse().unwrap();
    let mut request = match asked.auth {
        Some(false) => house.stranger(method, &asked.path),
        _ => house.request(method, &asked.path),
    };
    for (name, value) in &asked.headers {
        if let Some(name) = header(name) {
            request = request.header(name, value.replace(&"k".repeat(24), TOKEN));
        }
    }
    let body = match &asked.raw {
        Some(raw) => raw.clone(),
        None => asked.body.to_string(),
    };
    let response: Response = request.body(body).send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    // D-29: every answer has the headers that keep it safe, also a stream.
    assert_eq!(
        headers["x-content-type-options"], "nosniff",
        "{}",
        asked.path
    );
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    Ours {
        status,
        headers,
        body: response.text().await.unwrap(),
        saw: player.saw(),
    }
}

#[tokio::test]
async fn answers_are_the_same_or_for_a_reason() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for trace in cases::<Trace>("gateway/api_traces.json") {
        for verdict in play(&trace).await {
            *counts.entry(verdict).or_default() += 1;
        }
    }
    eprintln!("api_traces, by answers: {counts:#?}");
    assert!(counts["same"] > 0);
}

async fn play(trace: &Trace) -> Vec<&'static str> {
    let settings = &trace.settings;
    if !settings["model_routes"].is_null() || !settings["max_concurrent_runs"].is_null() {
        return vec!["not ours: names of models, runs at once"; trace.requests.len()];
    }
    let player = Player::new(trace.agent_scripts.clone());
    let house = house_of(player.clone()).await;
    if settings["draining"] == true {
        house.gateway.stop().await;
    }
    let mut scripts = trace.agent_scripts.iter();
    let mut verdicts = Vec::new();
    for (asked, theirs) in trace.requests.iter().zip(&trace.responses) {
        if !PATHS.contains(&asked.path.as_str()) {
            verdicts.push("not here: responses, runs, other addresses");
            continue;
        }
        let mut asked = asked.clone();
        if !asked.body["stream"].is_null() && !asked.body["stream"].is_boolean() {
            let refused = answer(&house, &player, &asked).await;
            assert_eq!(refused.status, 400, "{}", trace.id);
            verdicts.push("`stream` is yes or no");
            asked.body["stream"] = json!(!theirs.events.is_empty());
        }
        let ours = answer(&house, &player, &asked).await;
        // Every answer that the agent was asked for takes the next script.
        let script = ours.saw.first().and_then(|_| scripts.next()).cloned();
        let verdict = judge(&asked, theirs, &ours, &script.unwrap_or_default());
        verdicts.push(verdict.unwrap_or_else(|| {
            panic!("{} {}: {} {}", trace.id, asked.path, ours.status, ours.body)
        }));
    }
    verdicts
}

/// Whether an answer is the same, or why it is not; nothing if nobody knows.
fn judge(asked: &Asked, theirs: &Theirs, ours: &Ours, script: &Script) -> Option<&'static str> {
    let name = |name: &str| asked.headers.contains_key(name);
    match () {
        () if name("Origin") => of_a_page(ours),
        () if script.is_partial() => Some("an answer is whole, or it failed"),
        () if name("X-Hermes-Session-Id") || name("X-Hermes-Session-Key") => {
            of_a_name(theirs, ours)
        }
        () if theirs.status == 503 => waits(theirs, ours).then_some("same"),
        () if !theirs.events.is_empty() => of_a_stream(theirs, ours, script),
        () if script.failure().is_some() => of_a_failure(theirs, ours, script),
        () if theirs.status == 200 && asked.path == CHAT => of_an_answer(asked, theirs, ours),
        () if theirs.status == 200 => (ours.status == 200).then_some("same"),
        () => of_a_refusal(theirs, ours),
    }
}

/// Browsers are told nothing that would let another page read an answer.
fn of_a_page(ours: &Ours) -> Option<&'static str> {
    let mut names = ours.headers.keys();
    let is_silent = names.all(|name| !name.as_str().starts_with("access-control"));
    is_silent.then_some("not ours: no other page is let in")
}

/// A name is no path, so none is refused that is one; it is too long later than theirs.
fn of_a_name(theirs: &Theirs, ours: &Ours) -> Option<&'static str> {
    match (theirs.status, ours.status) {
        (200, 200) | (400, 400) => Some("same"),
        (400, 200) => Some("a name is no path, and may be longer"),
        _ => None,
    }
}

fn waits(theirs: &Theirs, ours: &Ours) -> bool {
    let again = ours.headers.get("retry-after");
    (theirs.status, again.is_some()) == (ours.status, true)
}

fn seen(theirs: &Theirs, ours: &Ours) -> bool {
    let mut pairs = theirs.agent_saw.iter().zip(&ours.saw);
    let is_seen = |(theirs, ours): (&Value, &Saw)| {
        let rows = theirs["history"].as_array().into_iter().flatten();
        let row = |row: &Value| {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            (text("role"), text("content"))
        };
        let rows: Vec<(String, String)> = rows.map(row).collect();
        let told = theirs["system"].as_str().unwrap_or_default();
        let is_told = told.lines().all(|line| ours.prompt.contains(line));
        theirs["user"] == ours.user.as_str() && rows == ours.history && is_told
    };
    theirs.agent_saw.len() == ours.saw.len() && pairs.all(is_seen)
}

fn of_an_answer(asked: &Asked, theirs: &Theirs, ours: &Ours) -> Option<&'static str> {
    let (body, choice) = (ours.json(), &theirs.json["choices"][0]);
    let said = &body["choices"][0]["message"]["content"];
    let is_kept = asked.headers.contains_key("Idempotency-Key");
    if is_kept && ours.saw.is_empty() && !theirs.agent_saw.is_empty() {
        // It was asked before, and another request since then: theirs has forgotten the first.
        return Some("a request that was answered is answered again from its row");
    }
    let is_same = said == &choice["message"]["content"]
        && body["choices"][0]["finish_reason"] == choice["finish_reason"]
        && body["object"] == theirs.json["object"]
        && (asked.body["model"].is_null() || body["model"] == theirs.json["model"])
        && body["usage"] == theirs.json["usage"]
        && seen(theirs, ours);
    is_same.then_some("same")
}

fn of_a_stream(theirs: &Theirs, ours: &Ours, script: &Script) -> Option<&'static str> {
    let data: Vec<Value> = theirs
        .events
        .iter()
        .map(|event| event["data"].clone())
        .collect();
    let told = words(&data);
    let chunks = ours.chunks();
    if script.failure().is_some() {
        let end = chunks.last()?;
        return (end["error"]["code"] == "agent_failed").then_some("a failure is an error");
    }
    let is_stream = chunks.first()?["choices"][0]["delta"]["role"] == "assistant"
        && chunks.last()?["choices"][0]["finish_reason"] == "stop"
        && ours.body.trim_end().ends_with("[DONE]")
        && seen(theirs, ours);
    let said: String = ours.streamed().split_whitespace().collect();
    let expected: String = told.split_whitespace().collect();
    match () {
        () if !is_stream => None,
        () if said == expected => Some("same"),
        // The reference sends nothing of an answer that did not come in pieces.
        () if told.is_empty() && ours.streamed() == script.words() => {
            Some("a stream has the whole answer")
        }
        () => None,
    }
}

/// A turn that failed is an error, whatever was said before; the words are for people.
fn of_a_failure(theirs: &Theirs, ours: &Ours, script: &Script) -> Option<&'static str> {
    let error = &ours.json()["error"];
    let is_told = error["message"].as_str()?.contains(script.failure()?);
    let is_error = ours.status == 502 && error["code"] == "agent_failed" && is_told;
    match theirs.status {
        _ if !is_error => None,
        502 => Some("same"),
        _ => Some("a failure is an error"),
    }
}

fn of_a_refusal(theirs: &Theirs, ours: &Ours) -> Option<&'static str> {
    let (told, error) = (&theirs.json["error"], ours.json()["error"].clone());
    let of_content = |code: &Value| {
        let codes = json!([
            "unsupported_content_type",
            "invalid_image_url",
            "invalid_content_part"
        ]);
        codes.as_array().is_some_and(|codes| codes.contains(code))
    };
    let is_shaped = error["message"].is_string();
    let is_same = !of_content(&told["code"])
        || (error["code"] == told["code"] && error["param"] == told["param"]);
    (theirs.status == ours.status && is_shaped && is_same).then_some("same")
}

/// D-29: what failed may name what opened its door. Nobody is told that, in one piece or in a stream.
#[tokio::test]
async fn a_failure_is_told_without_secrets_in_either_manner() {
    let why = "the server refused sk-abcdefghijklmnop1234";
    let failing = json!({ "result": { "final_response": "", "failed": true, "error": why } });
    let script: Script = serde_json::from_value(failing).unwrap();
    let player = Player::new(vec![script.clone(), script]);
    let house = house_of(player.clone()).await;
    for stream in [false, true] {
        let asked = Asked {
            method: "POST".to_owned(),
            path: CHAT.to_owned(),
            body: json!({ "messages": [{ "role": "user", "content": "hi" }], "stream": stream }),
            raw: None,
            headers: BTreeMap::new(),
            auth: None,
        };
        let ours = answer(&house, &player, &asked).await;
        assert!(
            ours.body.contains("the server refused sk-abc"),
            "{}",
            ours.body
        );
        assert!(!ours.body.contains("efghijkl"), "{}", ours.body);
    }
}
