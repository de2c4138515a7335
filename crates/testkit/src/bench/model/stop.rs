//! `model-stop`: how soon the line to a model is hung up when somebody stops the turn.
//!
//! The model says one word and then listens for the hang-up. The time runs from the call to stop, sent over
//! HTTP, until the model sees the end of its connection: the whole way through the gateway.

use std::io;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::upstream::WORD;
use super::{gateway, runtime};
use crate::bench::http::Http;
use crate::bench::line::{Line, Target, Unit};
use crate::bench::{Bench, Trouble, clock};

const TURNS: usize = 100;

/// How soon, at the latest.
const LIMIT_MS: f64 = 100.0;

/// Until the word has come through and the model is only listened to.
const SPOKEN: Duration = Duration::from_millis(20);

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    runtime()?.block_on(against_targets(bench))
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let server = gateway(bench, listener.local_addr()?.port()).await?;
    let mut http = server.connect().await?;
    let mut figures = Vec::new();
    for number in 0..=TURNS {
        let took = stopped(&listener, &mut http, number).await?;
        // The first one warms up.
        if number > 0 {
            figures.push(took.as_secs_f64() * 1000.0);
        }
    }
    let slowest = figures.iter().copied().fold(0.0, f64::max);
    let line = |name, words: &str, figures| Line {
        name,
        words: words.to_owned(),
        unit: Unit::Milliseconds,
        target: Target::AtMost(LIMIT_MS),
        figures,
    };
    Ok(vec![
        line(
            "model stop",
            "from the call to stop until the model is hung up on",
            figures,
        ),
        line("model stop slowest", "the slowest of 100", vec![slowest]),
    ])
}

/// A turn that is stopped in the middle of its answer; how long it took until the model knew.
async fn stopped(
    listener: &TcpListener,
    http: &mut Http,
    number: usize,
) -> Result<Duration, Trouble> {
    let message = json!({
        "chat": format!("c{number}"), "user": { "id": "u" }, "text": "speak", "message_id": "m",
    });
    let taken = http.post("/api/v1/inbox", &message.to_string()).await?;
    let taken = taken.json(202)?;
    let Value::String(session) = &taken["session_id"] else {
        return Err("the message is in no conversation".into());
    };
    let (stream, _) = listener.accept().await?;
    let mut line = BufReader::new(stream);
    say_a_word(&mut line).await?;
    tokio::time::sleep(SPOKEN).await;
    let began = clock::now();
    let hung_up = async {
        let mut rest = [0; 64];
        // However a connection ends, it has.
        while line.read(&mut rest).await.is_ok_and(|bytes| bytes > 0) {}
        began.elapsed()
    };
    let path = format!("/api/v1/sessions/{session}/stop");
    let (told, took) = tokio::join!(http.post(&path, "{}"), hung_up);
    told?.json(200)?;
    Ok(took)
}

/// Reads a request, and begins an answer that does not end.
async fn say_a_word(line: &mut BufReader<TcpStream>) -> io::Result<()> {
    let mut length = 0;
    loop {
        let mut header = String::new();
        line.read_line(&mut header).await?;
        let header = header.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
    }
    let mut body = (&mut *line).take(length);
    tokio::io::copy(&mut body, &mut tokio::io::sink()).await?;
    let said = format!(
        "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"quick\",\
         \"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{WORD} \"}},\"finish_reason\":null}}]}}\n\n"
    );
    let answer = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{said}");
    line.write_all(answer.as_bytes()).await
}
