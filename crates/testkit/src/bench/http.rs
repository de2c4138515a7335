//! The least HTTP client: one kept connection, one request at a time, bodies with a length.
//!
//! It costs the machine as little as possible, since it runs beside the server that is measured.

use std::io;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use super::Trouble;

/// A connection to a server.
pub(super) struct Http {
    stream: BufReader<TcpStream>,
    token: String,
}

/// What the server answered.
pub(super) struct Answer {
    /// The status.
    pub(super) status: u16,
    body: Vec<u8>,
}

impl Answer {
    /// The body of an answer with the given status, as JSON.
    pub(super) fn json(&self, status: u16) -> Result<Value, Trouble> {
        if self.status != status {
            let body = String::from_utf8_lossy(&self.body);
            return Err(format!("the server answered {}: {body}", self.status).into());
        }
        Ok(serde_json::from_slice(&self.body)?)
    }
}

impl Http {
    /// Connects.
    pub(super) async fn connect(port: u16, token: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::new(stream),
            token: token.to_owned(),
        })
    }

    /// Reads a path.
    pub(super) async fn get(&mut self, path: &str) -> Result<Answer, Trouble> {
        self.ask("GET", path, "").await
    }

    /// Posts JSON.
    pub(super) async fn post(&mut self, path: &str, body: &str) -> Result<Answer, Trouble> {
        self.ask("POST", path, body).await
    }

    /// Asks for a path whose answer is a stream, and leaves reading it to the caller.
    pub(super) async fn stream(mut self, path: &str) -> Result<BufReader<TcpStream>, Trouble> {
        self.send("GET", path, "").await?;
        Ok(self.stream)
    }

    /// Posts JSON and reads an answer that comes in pieces to its end; `heard` is shown each of them.
    pub(super) async fn events(
        &mut self,
        path: &str,
        body: &str,
        mut heard: impl FnMut(&str),
    ) -> Result<(), Trouble> {
        self.send("POST", path, body).await?;
        let status = self.line().await?;
        while !self.line().await?.is_empty() {}
        loop {
            let length = u64::from_str_radix(&self.line().await?, 16)?;
            let mut piece = vec![0; usize::try_from(length)? + 2];
            self.stream.read_exact(&mut piece).await?;
            if length == 0 {
                break;
            }
            heard(&String::from_utf8_lossy(&piece));
        }
        if status.contains(" 200 ") {
            return Ok(());
        }
        Err(format!("the server answered {status}").into())
    }

    async fn ask(&mut self, verb: &str, path: &str, body: &str) -> Result<Answer, Trouble> {
        self.send(verb, path, body).await?;
        self.answer().await
    }

    async fn send(&mut self, verb: &str, path: &str, body: &str) -> Result<(), Trouble> {
        let request = format!(
            "{verb} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        Ok(self.stream.write_all(request.as_bytes()).await?)
    }

    async fn answer(&mut self) -> Result<Answer, Trouble> {
        let first = self.line().await?;
        let status = first.split(' ').nth(1).ok_or("no status line")?.parse()?;
        let mut length = 0;
        loop {
            let line = self.line().await?.to_ascii_lowercase();
            match line.split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse()?,
                Some(_) => (),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok(Answer { status, body })
    }

    async fn line(&mut self) -> Result<String, Trouble> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).await? == 0 {
            return Err("the server closed the connection".into());
        }
        Ok(line.trim_end().to_owned())
    }
}
