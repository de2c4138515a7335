//! Calls about background processes.

use angelia_core::id::{ProcessId, SessionId};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;

use super::blocks::Blocks;
use super::{Client, ClientError, Rows};
use crate::wire::v1::page::Page;
use crate::wire::v1::process::{Log, LogPage, Process, ResizeWish, WriteWish};

/// Which processes to list.
#[derive(Debug, Clone, Default)]
pub struct ProcessListing {
    /// Only those of this conversation.
    pub session: Option<SessionId>,
    /// Only those that live, or all.
    pub which: WhichProcesses,
    /// Which rows.
    pub rows: Rows,
}

/// Whether those that ended are meant too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WhichProcesses {
    /// All.
    #[default]
    All,
    /// Only those that have not ended.
    Live,
}

/// From where on an output is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFrom {
    /// From this place on.
    After(u64),
    /// From so many bytes before its end on.
    Tail(u64),
}

/// How an output is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogForm {
    /// Without escapes.
    #[default]
    Plain,
    /// As it was said, for something that is a terminal.
    Terminal,
}

/// What a followed process tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogEvent {
    /// More output.
    Output(LogPage),
    /// The process has ended; this is it now.
    End(Box<Process>),
}

/// The output of a process as it comes.
#[derive(Debug)]
pub struct LogEvents {
    blocks: Blocks,
}

impl LogForm {
    const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Terminal => "terminal",
        }
    }
}

impl LogEvents {
    /// What comes next; nothing when the gateway ended the stream, after the end or before it.
    ///
    /// # Errors
    /// `Unreachable` when the connection broke, `Malformed` when an event is not one.
    pub async fn next(&mut self) -> Result<Option<LogEvent>, ClientError> {
        while let Some(block) = self.blocks.next().await? {
            let event = match block.event.as_str() {
                "output" => serde_json::from_str(&block.data).map(LogEvent::Output),
                "end" => serde_json::from_str(&block.data).map(LogEvent::End),
                _ => continue,
            };
            return event
                .map(Some)
                .map_err(|error| self.blocks.malformed(&error));
        }
        Ok(None)
    }
}

impl Client {
    /// Background processes, newest first.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn processes(&self, listing: &ProcessListing) -> Result<Page<Process>, ClientError> {
        let mut query = listing.rows.query();
        query.extend(listing.session.map(|id| ("session", id.to_string())));
        if listing.which == WhichProcesses::Live {
            query.push(("state", "live".to_owned()));
        }
        self.get(&["api", "v1", "processes"], &query).await
    }

    /// One background process.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn process(&self, id: ProcessId) -> Result<Process, ClientError> {
        self.get(&["api", "v1", "processes", &id.to_string()], &[])
            .await
    }

    /// What a process said from the place `after` on, a page of it.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn log(&self, id: ProcessId, after: u64) -> Result<Log, ClientError> {
        let query = [("after", after.to_string())];
        self.get(&["api", "v1", "processes", &id.to_string(), "log"], &query)
            .await
    }

    /// What a process says from some place on, as it comes.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn follow(
        &self,
        id: ProcessId,
        from: LogFrom,
        form: LogForm,
    ) -> Result<LogEvents, ClientError> {
        let query = [
            match from {
                LogFrom::After(place) => ("after", place.to_string()),
                LogFrom::Tail(bytes) => ("tail", bytes.to_string()),
            },
            ("form", form.name().to_owned()),
            ("follow", "true".to_owned()),
        ];
        let url = self.url(&["api", "v1", "processes", &id.to_string(), "log"], &query);
        let answer = self.stream(url).await?;
        let blocks = Blocks::of(answer, self.base.clone());
        Ok(LogEvents { blocks })
    }

    /// Takes a process down; returns when nobody of it is left.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn kill(&self, id: ProcessId) -> Result<Process, ClientError> {
        self.tell(id, "kill", &serde_json::json!({})).await
    }

    /// Writes to the input of a process.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where it has none, or has ended.
    pub async fn write(&self, id: ProcessId, text: &str) -> Result<Process, ClientError> {
        let text = text.to_owned();
        self.tell(id, "write", &WriteWish { text }).await
    }

    /// Writes to the input of a process what need not be text.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where it has none, or has ended.
    pub async fn write_bytes(&self, id: ProcessId, bytes: Vec<u8>) -> Result<Process, ClientError> {
        let url = self.url(&["api", "v1", "processes", &id.to_string(), "write"], &[]);
        let request = self.request(Method::POST, url).body(bytes);
        self.ask(request.header(CONTENT_TYPE, "application/octet-stream"))
            .await
    }

    /// Lets the input of a process end.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where it has none, or has ended.
    pub async fn close(&self, id: ProcessId) -> Result<Process, ClientError> {
        self.tell(id, "close", &serde_json::json!({})).await
    }

    /// Gives the terminal of a process another size.
    ///
    /// # Errors
    /// See [`ClientError`]; `conflict` where it has none, or has ended.
    pub async fn resize(&self, id: ProcessId, size: ResizeWish) -> Result<Process, ClientError> {
        self.tell(id, "resize", &size).await
    }

    async fn tell(
        &self,
        id: ProcessId,
        verb: &str,
        wish: &impl serde::Serialize,
    ) -> Result<Process, ClientError> {
        let url = self.url(&["api", "v1", "processes", &id.to_string(), verb], &[]);
        self.ask(self.request(Method::POST, url).json(wish)).await
    }
}
