//! A model that does not think: it reads a request and says the same few words at once.
//!
//! On a thread of its own, with as little HTTP as clients need, so that it costs the machine next to nothing.

use std::io;
use std::net::TcpListener as Listener;
use std::thread;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use crate::bench::Trouble;

/// The word by which its answer is recognised.
pub(super) const WORD: &str = "zebra";

/// What it says: a beginning, two words, the end and what was used.
fn answer() -> String {
    let record = |inner: &str| {
        format!(
            "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"quick\",{inner}}}\n\n"
        )
    };
    let choice = |delta: &str, end: &str| {
        record(&format!(
            "\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{end}}}]"
        ))
    };
    let said = [
        choice("{\"role\":\"assistant\",\"content\":\"\"}", "null"),
        choice(&format!("{{\"content\":\"{WORD} \"}}"), "null"),
        choice("{\"content\":\"stripes\"}", "null"),
        choice("{}", "\"stop\""),
        record("\"choices\":[],\"usage\":{\"prompt_tokens\":12000,\"completion_tokens\":3,\"total_tokens\":12003}"),
        "data: [DONE]\n\n".to_owned(),
    ]
    .concat();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{said}",
        said.len()
    )
}

/// A running one. Its thread ends with the program.
pub(super) struct Upstream {
    port: u16,
}

impl Upstream {
    pub(super) fn start() -> Result<Self, Trouble> {
        let listener = Listener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let serve = move || runtime.block_on(LocalSet::new().run_until(accept(listener)));
        thread::Builder::new()
            .name("upstream".to_owned())
            .spawn(serve)?;
        Ok(Self { port })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

async fn accept(listener: Listener) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let answer: &'static str = Box::leak(answer().into_boxed_str());
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::task::spawn_local(serve(stream, answer));
    }
}

/// Answers until the client hangs up.
async fn serve(stream: TcpStream, answer: &str) -> io::Result<()> {
    let mut stream = BufReader::with_capacity(64 * 1024, stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = (&mut stream).take(length);
        tokio::io::copy(&mut body, &mut tokio::io::sink()).await?;
        stream.write_all(answer.as_bytes()).await?;
    }
}
