//! `angelia processes log`: what a process said, and what it goes on to say.
//!
//! Followers outlive the gateway: when the stream breaks off, they wait for a gateway on the same home and
//! go on behind the last byte they printed.

use std::time::Duration;

use angelia_api::client::{Client, ClientError, LogEvent, LogEvents, LogForm, LogFrom};
use angelia_api::wire::v1::process::LogPage;

use crate::args::processes::Log;
use crate::commands::sessions::Desk;
use crate::errors::Failure;
use crate::finding;
use crate::output::{Form, Output};

/// How often a gateway that is gone is looked for, and how many times.
const LOOK_EVERY: Duration = Duration::from_millis(250);
const LOOKS: u32 = 480;

/// Why following stopped.
enum Stopped {
    /// The process has ended.
    Ended,
    /// The gateway is gone.
    Gone,
}

pub(super) fn run(desk: &Desk<'_>, wish: &Log) -> Result<(), Failure> {
    let mut reader = Reader {
        desk,
        output: desk.start.output(Form::People),
        wish,
        at: wish.after,
    };
    if wish.follow {
        finding::wait(reader.follow())
    } else {
        finding::wait(reader.read())
    }
}

struct Reader<'a> {
    desk: &'a Desk<'a>,
    output: Output,
    wish: &'a Log,
    /// The place after the last byte that was printed.
    at: u64,
}

impl Reader<'_> {
    /// Everything that was said until now.
    async fn read(&mut self) -> Result<(), Failure> {
        loop {
            let log = self.desk.client.log(self.wish.id, self.at).await;
            let page = log.map_err(|error| self.failed(&error))?.page;
            if page.next == self.at {
                return Ok(());
            }
            self.print(&page)?;
        }
    }

    /// Everything, to the end of the process.
    async fn follow(&mut self) -> Result<(), Failure> {
        let mut client = self.desk.client.clone();
        let mut looks = 0;
        loop {
            let at = self.at;
            match self.follow_with(&client).await? {
                Stopped::Ended => return Ok(()),
                Stopped::Gone if looks >= LOOKS => return Err(self.gone()),
                Stopped::Gone => looks = if self.at > at { 0 } else { looks + 1 },
            }
            tokio::time::sleep(LOOK_EVERY).await;
            // A gateway that is back may listen elsewhere.
            client = finding::client(&self.desk.start.home).unwrap_or(client);
        }
    }

    async fn follow_with(&mut self, client: &Client) -> Result<Stopped, Failure> {
        let mut events = match self.open(client).await {
            Ok(events) => events,
            Err(error) => return self.stopped(&error),
        };
        loop {
            match events.next().await {
                Ok(Some(LogEvent::Output(page))) => self.print(&page)?,
                Ok(Some(LogEvent::End(_))) => return Ok(Stopped::Ended),
                Ok(None) => return Ok(Stopped::Gone),
                Err(error) => return self.stopped(&error),
            }
        }
    }

    async fn open(&self, client: &Client) -> Result<LogEvents, ClientError> {
        let from = LogFrom::After(self.at);
        client.follow(self.wish.id, from, LogForm::Plain).await
    }

    /// Whether an error means that the gateway is gone, for a while perhaps.
    fn stopped(&self, error: &ClientError) -> Result<Stopped, Failure> {
        match error {
            ClientError::Unreachable { .. } => Ok(Stopped::Gone),
            ClientError::Api { .. } | ClientError::Address(_) | ClientError::Malformed { .. } => {
                Err(self.failed(error))
            }
        }
    }

    fn print(&mut self, page: &LogPage) -> Result<(), Failure> {
        self.at = page.next;
        if page.cut > 0 {
            let cut = page.cut;
            self.output
                .line(format_args!("[… {cut} bytes were left out here …]"))?;
        }
        self.output.piece(self.output.foreign(&page.text))
    }

    fn failed(&self, error: &ClientError) -> Failure {
        finding::failure(&self.desk.start.home, error)
    }

    fn gone(&self) -> Failure {
        finding::not_running(&self.desk.start.home)
    }
}
