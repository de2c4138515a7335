//! Every call of `/api/v1/processes`, made to the real binary: what each answers, and what each refuses.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use angelia_api::client::{Client, Events, LogEvent, LogForm, LogFrom};
use angelia_api::token::Token;
use angelia_api::wire::v1::event::Event;
use angelia_api::wire::v1::process::{Process, ProcessState};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::processes::{Held, end};
use crate::world::{Gateway, wait_for};

const NOBODY: &str = "prc_00000000000000000000000007";

/// Every call about one process: how, what, and a body that it takes.
const CALLS: [(&str, &str, &str); 8] = [
    ("GET", "", ""),
    ("GET", "/log", ""),
    ("GET", "/log?follow=true", ""),
    ("POST", "/write", "{\"text\":\"x\"}"),
    ("POST", "/close", ""),
    ("POST", "/resize", "{\"rows\":30,\"columns\":100}"),
    ("POST", "/kill", ""),
    ("GET", "/log?tail=10&form=terminal", ""),
];

/// Somebody who calls, with the token or without.
struct Caller<'a> {
    gateway: &'a Gateway,
    token: String,
}

impl<'a> Caller<'a> {
    fn of(held: &Held, gateway: &'a Gateway) -> Self {
        let token = fs::read_to_string(held.world.home().join("api-token")).unwrap();
        let token = token.trim().to_owned();
        Self { gateway, token }
    }

    fn client(&self) -> Client {
        let address = format!("http://{}", self.gateway.address);
        Client::new(&address, Token::new(&self.token)).unwrap()
    }

    /// The status and the JSON of an answer.
    fn call(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let answer = self.raw(method, path, ("application/json", body.as_bytes()));
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    fn raw(&self, method: &str, path: &str, (kind, body): (&str, &[u8])) -> String {
        let mut stream = TcpStream::connect(&self.gateway.address).unwrap();
        let head = format!(
            "{method} /api/v1/processes{path} HTTP/1.0\r\nAuthorization: Bearer {}\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            self.token,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[track_caller]
    fn refused(&self, (method, path, body): (&str, &str, &str), expected: (u16, &str)) -> String {
        let (status, answer) = self.call(method, path, body);
        let error = &answer["error"];
        let code = error["code"].as_str().unwrap_or_default();
        assert_eq!((status, code), expected, "{method} {path}: {answer}");
        assert!(!error["hint"].as_str().unwrap().is_empty(), "{answer}");
        error["message"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn ok(&self, method: &str, path: &str, body: &str) -> Value {
        let (status, answer) = self.call(method, path, body);
        assert_eq!(status, 200, "{method} {path}: {answer}");
        answer
    }

    /// Waits until it has ended.
    fn ended(&self, id: &str) -> Value {
        wait_for("an end", || {
            let process = self.ok("GET", &format!("/{id}"), "");
            (!process["ended_at"].is_null()).then_some(process)
        })
    }
}

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let limited = async {
        let done = tokio::time::timeout(Duration::from_secs(20), work).await;
        done.expect("it comes to an end")
    };
    runtime.unwrap().block_on(limited)
}

#[test]
fn nobody_without_the_token_learns_or_does_anything() {
    let held = Held::new();
    let gateway = held.world.serve();
    let process = held.start("cat");
    let mut stranger = Caller::of(&held, &gateway);
    for token in ["", "wrong"] {
        stranger.token = token.to_owned();
        stranger.refused(("GET", "", ""), (401, "unauthorized"));
        for (method, rest, body) in CALLS {
            let path = format!("/{process}{rest}");
            stranger.refused((method, &path, body), (401, "unauthorized"));
        }
    }
    assert_eq!(held.process(&process)["state"], "running");
}

#[test]
fn what_there_is_not_is_not_found() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    for (method, rest, body) in CALLS {
        for nobody in [NOBODY, "ses_00000000000000000000000007", "x"] {
            let path = format!("/{nobody}{rest}");
            let words = caller.refused((method, &path, body), (404, "not_found"));
            assert!(words.contains(nobody) || words.contains("no"), "{words}");
        }
    }
}

#[test]
fn wishes_that_cannot_be_meant_are_bad_requests() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    let process = held.start("--pty cat");
    let bad = |method, rest: &str, body| {
        let path = format!("/{process}{rest}");
        caller.refused((method, &path, body), (400, "bad_request"));
    };
    for body in [
        "",
        "{",
        "{}",
        "[\"x\"]x",
        "{\"text\":7}",
        "{\"text\":\"x\",\"more\":1}",
    ] {
        bad("POST", "/write", body);
    }
    for body in [
        "{}",
        "{\"rows\":30}",
        "{\"rows\":0,\"columns\":80}",
        "{\"rows\":30,\"columns\":1001}",
        "{\"rows\":70000,\"columns\":80}",
        "{\"rows\":-1,\"columns\":80}",
        "[30,80]",
    ] {
        bad("POST", "/resize", body);
    }
    for query in [
        "after=-1",
        "after=x",
        "form=html",
        "follow=maybe",
        "tail=x",
        "before=1",
    ] {
        bad("GET", &format!("/log?{query}"), "");
    }
    for query in ["limit=0", "limit=100000", "state=dead", "session=x", "x=1"] {
        caller.refused(("GET", &format!("?{query}"), ""), (400, "bad_request"));
    }
    assert_eq!(caller.ok("GET", "?after=nonsense", "")["items"], json!([]));
    let long = json!({"text": "x".repeat(1024 * 1024)}).to_string();
    let path = format!("/{process}/write");
    caller.refused(("POST", &path, &long), (413, "too_large"));
}

#[test]
fn a_process_with_pipes_takes_text_bytes_and_the_end_of_its_input() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    let process = held.start("cat; exit 6");
    let at = |rest: &str| format!("/{process}{rest}");
    let shown = caller.ok("GET", &at(""), "");
    assert_eq!(
        (&shown["mode"], &shown["state"]),
        (&json!("pipe"), &json!("running"))
    );
    assert_eq!(shown["command"], "cat; exit 6");
    let answered = caller.ok("POST", &at("/write"), "{\"text\":\"one\\n\"}");
    assert_eq!(answered["id"], process.as_str());
    let raw = caller.raw(
        "POST",
        &at("/write"),
        ("application/octet-stream", b"t\xffo\n"),
    );
    assert!(raw.starts_with("HTTP/1.0 200"), "{raw}");
    let size = "{\"rows\":30,\"columns\":80}";
    let words = caller.refused(("POST", &at("/resize"), size), (409, "conflict"));
    assert!(words.contains("terminal"), "{words}");
    caller.ok("POST", &at("/close"), "");
    let done = caller.ended(&process);
    assert_eq!(
        (&done["state"], &done["exit_code"]),
        (&json!("exited"), &json!(6))
    );
    let log = caller.ok("GET", &at("/log"), "");
    assert_eq!(log["text"], "one\nt\u{fffd}o\n");
}

#[test]
fn one_that_has_ended_is_read_and_nothing_else() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    let process = held.start("echo said; exit 2");
    let before = caller.ended(&process);
    let at = |rest: &str| format!("/{process}{rest}");
    for (rest, body) in [
        ("/write", "{\"text\":\"x\"}"),
        ("/close", ""),
        ("/resize", "{\"rows\":30,\"columns\":80}"),
    ] {
        let words = caller.refused(("POST", &at(rest), body), (409, "conflict"));
        assert!(words.contains("ended"), "{words}");
    }
    let killed = caller.ok("POST", &at("/kill"), "");
    assert_eq!(
        (&killed["state"], &killed["exit_code"]),
        (&json!("exited"), &json!(2))
    );
    assert_eq!(killed["ended_at"], before["ended_at"]);
    let log = caller.ok("GET", &at("/log"), "");
    assert_eq!(
        (&log["text"], &log["state"]),
        (&json!("said\n"), &json!("exited"))
    );
    let followed = caller.raw("GET", &at("/log?follow=true"), ("text/plain", b""));
    let events = followed
        .find("event: output")
        .zip(followed.find("event: end"));
    assert!(
        events.is_some_and(|(output, end)| output < end),
        "{followed}"
    );
}

#[test]
fn an_output_is_read_by_place_from_its_end_and_in_pages() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    let process = held.start("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo line $i; done");
    caller.ended(&process);
    let page = |query: &str| caller.ok("GET", &format!("/{process}/log?{query}"), "");
    let (mut at, mut whole, mut pages) = (0, String::new(), 0);
    loop {
        let log = page(&format!("after={at}"));
        let text = log["text"].as_str().unwrap();
        assert!(text.len() <= 64 * 1024);
        assert_eq!((&log["from"], &log["cut"]), (&json!(at), &json!(0)));
        if log["next"] == at {
            break;
        }
        assert!(text.ends_with('\n'), "a page ends with a line");
        at = log["next"].as_u64().unwrap();
        whole.push_str(text);
        pages += 1;
    }
    let lines: Vec<String> = (1..=20_000)
        .map(|number| format!("line {number}\n"))
        .collect();
    assert_eq!(whole, lines.concat());
    assert!(pages > 2, "{pages}");
    let last = page("tail=22");
    assert_eq!(last["text"], "line 19999\nline 20000\n");
    assert_eq!(page("tail=99999999")["from"], 0);
    assert_eq!(
        page(&format!("after={}", at + 5))["text"],
        "",
        "beyond its end there is nothing"
    );
}

#[test]
fn escapes_are_for_those_who_ask_for_them() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    let process = held.start("--pty stty -onlcr; printf '\\033[31mred\\033[0m\\n'");
    caller.ended(&process);
    let log = |form: &str| caller.ok("GET", &format!("/{process}/log{form}"), "")["text"].clone();
    assert_eq!(log(""), "red\n");
    assert_eq!(log("?form=plain"), "red\n");
    assert_eq!(log("?form=terminal"), "\x1b[31mred\x1b[0m\n");
}

#[test]
fn a_terminal_gets_another_size_and_the_key_that_ends_its_input() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    let process = held.start("--pty while read -r x; do stty size; done; exit 9");
    let size = "{\"rows\":44,\"columns\":99}";
    let resized = caller.ok("POST", &format!("/{process}/resize"), size);
    assert_eq!(resized["mode"], "pty");
    caller.ok("POST", &format!("/{process}/write"), "{\"text\":\"\\r\"}");
    wait_for("the size", || {
        held.log(&process).contains("44 99").then_some(())
    });
    caller.ok("POST", &format!("/{process}/close"), "");
    assert_eq!(caller.ended(&process)["exit_code"], 9);
}

#[test]
fn processes_are_listed_newest_first_by_conversation_by_life_and_in_pages() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    let started = ["cat", "exit 0", "sleep 1000"].map(|command| held.start(command));
    caller.ended(&started[1]);
    let ids = |query: &str| -> Vec<String> {
        let page = caller.ok("GET", query, "");
        let items = page["items"].as_array().unwrap().iter();
        items
            .map(|one| one["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let [first, second, third] = &started;
    assert_eq!(ids(""), [third, second, first].map(String::as_str));
    assert_eq!(ids("?state=live"), [third, first].map(String::as_str));
    let page = caller.ok("GET", "?limit=2", "");
    let next = page["next"].as_str().unwrap();
    assert_eq!(ids(&format!("?limit=2&after={next}")), [first.as_str()]);
    let session = page["items"][0]["session_id"].as_str().unwrap();
    assert_eq!(ids(&format!("?session={session}")).len(), 3);
    assert!(ids("?session=ses_00000000000000000000000007").is_empty());
    let killed = caller.ok("POST", &format!("/{third}/kill"), "");
    assert_eq!(
        (&killed["state"], &killed["signal"]),
        (&json!("killed"), &json!(15))
    );
    assert_eq!(ids("?state=live"), [first.as_str()]);
}

#[test]
fn a_process_that_another_home_holds_is_shown_and_left_alone() {
    let mut held = Held::new();
    let gateway = held.world.serve();
    let process = held.start("echo here; exit 0");
    held.told(&process);
    end(gateway, Signal::TERM);
    held.world.move_home("moved");
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    assert_eq!(
        caller.ok("GET", &format!("/{process}"), "")["state"],
        "exited"
    );
    for (method, rest, body) in &CALLS[1..] {
        let path = format!("/{process}{rest}");
        let words = caller.refused((method, &path, body), (409, "conflict"));
        assert!(words.contains("another gateway"), "{words}");
    }
}

#[test]
fn watchers_are_told_when_a_process_runs_and_when_it_has_ended() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    run(async {
        let client = caller.client();
        let mut events = client.events(None).await.unwrap();
        let id = held.start("read -r x; exit 5");
        let running = next_process(&mut events).await;
        assert_eq!(
            (running.id.to_string(), running.state),
            (id, ProcessState::Running)
        );
        let session = running.session_id;
        let mut of_it = client.events(session).await.unwrap();
        client.write(running.id, "go\n").await.unwrap();
        for stream in [&mut events, &mut of_it] {
            let done = next_process(stream).await;
            assert_eq!((done.id, done.state), (running.id, ProcessState::Exited));
            assert_eq!((done.exit_code, done.session_id), (Some(5), session));
            assert!(done.ended_at.is_some());
        }
    });
}

/// The next event that is about a process.
async fn next_process(events: &mut Events) -> Process {
    loop {
        let event = events.next().await.unwrap().expect("the stream goes on");
        if let Event::Process(process) = event {
            return *process;
        }
    }
}

#[test]
fn a_follower_hears_every_piece_and_then_the_end() {
    let held = Held::new();
    let gateway = held.world.serve();
    let caller = Caller::of(&held, &gateway);
    let id = held
        .start("echo one; read -r x; echo two; exit 0")
        .parse()
        .unwrap();
    run(async {
        let client = caller.client();
        let mut events = client
            .follow(id, LogFrom::Tail(1024), LogForm::Plain)
            .await
            .unwrap();
        let Some(LogEvent::Output(first)) = events.next().await.unwrap() else {
            panic!("output comes first")
        };
        assert_eq!(
            (first.text.as_str(), first.from, first.next),
            ("one\n", 0, 4)
        );
        client.write(id, "go\n").await.unwrap();
        let mut text = String::new();
        let process = loop {
            match events.next().await.unwrap().expect("the end is told") {
                LogEvent::Output(page) => text.push_str(&page.text),
                LogEvent::End(process) => break process,
            }
        };
        assert_eq!((text.as_str(), process.exit_code), ("two\n", Some(0)));
        assert_eq!(events.next().await.unwrap(), None, "and nothing after it");
        let mut late = client
            .follow(id, LogFrom::After(4), LogForm::Plain)
            .await
            .unwrap();
        let Some(LogEvent::Output(rest)) = late.next().await.unwrap() else {
            panic!("the rest comes first")
        };
        assert_eq!(rest.text, "two\n");
    });
}
