//! The wire to the server, and how a thread waits on it.
//!
//! The client below is asynchronous, which verbs are not: whoever asks waits here, on the thread that owns the
//! connection, and what comes in meanwhile is taken care of on the same thread. What is asked in one go is
//! written in one go, so that several statements cost one journey to the server and back.
//!
//! A connection by itself (`Ends`) can be waited for on any runtime; whoever has one takes care of it (`direct`).
//!
//! Nobody waits for ever: a server that does not answer in time is treated as one that is gone, and so must its
//! connection be. Nothing here knows what a statement says.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{AsyncMessage, Client, Config, Error, Socket};

use super::awake::Awake;
use super::line::config;
use super::place::Server;
use super::tls::Link;
use crate::database::fault::Fault;

/// What came in unasked, if something did; nothing more comes once it yields `None`.
type Incoming =
    Box<dyn FnMut(&mut Context<'_>) -> Poll<Option<Result<AsyncMessage, Error>>> + Send>;

/// A connection.
pub(super) struct Ends {
    pub(super) client: Client,
    pub(super) ear: Ear,
}

/// The end of a connection where something comes in.
pub(super) struct Ear {
    incoming: Incoming,
    /// What was told on the channels that are listened to, and nobody took yet.
    told: VecDeque<String>,
    awake: Awake,
}

impl Ends {
    /// Connects.
    pub(super) async fn to<T>(config: &Config, tls: T) -> Result<Self, Error>
    where
        T: MakeTlsConnect<Socket> + Send + 'static,
        T::TlsConnect: Send,
        T::Stream: Send + 'static,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let (client, mut connection) = config.connect(tls).await?;
        Ok(Self {
            client,
            ear: Ear {
                incoming: Box::new(move |cx| connection.poll_message(cx)),
                told: VecDeque::new(),
                awake: Awake::new(),
            },
        })
    }
}

/// A connection and the runtime that it is waited for on.
pub(super) struct Wire {
    runtime: Runtime,
    ends: Ends,
    limit: Limit,
}

/// How long an answer is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// So long.
    After(Duration),
    /// As long as it takes.
    Never,
}

impl Wire {
    /// Connects; and how.
    pub(super) fn to(server: &Server) -> Result<(Self, Link), Fault> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Fault::Exhausted(error.to_string()))?;
        let (ends, link) = runtime.block_on(connected(server))?;
        let limit = Limit::After(server.times.answer);
        let wire = Self {
            runtime,
            ends,
            limit,
        };
        Ok((wire, link))
    }

    /// Waits for every answer from now on, however long it takes.
    pub(super) fn be_patient(&mut self) {
        self.limit = Limit::Never;
    }

    /// Asks, and waits for the answer.
    pub(super) fn wait<T>(
        &mut self,
        ask: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, Fault> {
        let Ends { client, ear } = &mut self.ends;
        let answer = in_time(self.limit, answered(ear, ask(client)));
        self.runtime.block_on(answer)
    }

    /// Asks for something whose answer nobody waits for. If it cannot be written now it is with what comes next.
    pub(super) fn send(&mut self, sql: &str) {
        let Ends { client, ear } = &mut self.ends;
        let mut asked = pin!(client.batch_execute(sql));
        self.runtime.block_on(poll_fn(|cx| {
            // Whether it went well is not asked, and that the wire is broken is noticed by who asks next.
            let _unheard = asked.as_mut().poll(cx).is_ready();
            let _noticed_later = take_in(&mut ear.incoming, &mut ear.told, cx).is_err();
            Poll::Ready(())
        }));
    }

    /// The next that is told, if it is told within this time.
    pub(super) fn heard(&mut self, within: Duration) -> Result<Option<String>, Error> {
        let Ear { incoming, told, .. } = &mut self.ends.ear;
        let next = poll_fn(|cx| {
            let taken = take_in(incoming, told, cx);
            match (told.pop_front(), taken) {
                (Some(words), _) => Poll::Ready(Ok(Some(words))),
                (None, Ok(Open::Still)) => Poll::Pending,
                (None, Ok(Open::NoLonger)) => Poll::Ready(Ok(None)),
                (None, Err(broken)) => Poll::Ready(Err(broken)),
            }
        });
        let waited = self
            .runtime
            .block_on(async { tokio::time::timeout(within, next).await });
        waited.unwrap_or(Ok(None))
    }

    /// Whether nothing can be asked any more.
    pub(super) fn is_closed(&self) -> bool {
        self.ends.client.is_closed()
    }
}

/// Makes a connection, if the server lets us in in time.
pub(super) async fn connected(server: &Server) -> Result<(Ends, Link), Fault> {
    let config = config(server);
    let limit = Limit::After(server.times.greeting());
    in_time(limit, server.tls.connect(&config)).await
}

/// The answer, if it comes in time.
pub(super) async fn in_time<T, E: Into<Fault>>(
    limit: Limit,
    answer: impl Future<Output = Result<T, E>>,
) -> Result<T, Fault> {
    let answer = match limit {
        Limit::Never => answer.await,
        Limit::After(time) => tokio::time::timeout(time, answer)
            .await
            .map_err(|_| Fault::Silent(time))?,
    };
    answer.map_err(Into::into)
}

/// The answer to what was asked, taking in whatever else comes meanwhile.
pub(super) async fn answered<T>(
    ear: &mut Ear,
    answer: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let Ear {
        incoming,
        told,
        awake,
    } = ear;
    let mut answer = pin!(answer);
    let mut look = |cx: &mut Context<'_>| {
        if let Poll::Ready(answer) = answer.as_mut().poll(cx) {
            return Poll::Ready(answer);
        }
        if let Err(broken) = take_in(incoming, told, cx) {
            return Poll::Ready(Err(broken));
        }
        answer.as_mut().poll(cx)
    };
    poll_fn(|cx| awake.look(cx, &mut look)).await
}

/// Whether anything more may come in.
enum Open {
    Still,
    NoLonger,
}

/// Writes what waits to be written, and takes in what has come.
fn take_in(
    incoming: &mut Incoming,
    told: &mut VecDeque<String>,
    cx: &mut Context<'_>,
) -> Result<Open, Error> {
    loop {
        match incoming(cx) {
            Poll::Ready(Some(Ok(AsyncMessage::Notification(heard)))) => {
                told.push_back(heard.payload().to_owned());
            }
            Poll::Ready(Some(Ok(_))) => (),
            Poll::Ready(Some(Err(broken))) => return Err(broken),
            Poll::Ready(None) => return Ok(Open::NoLonger),
            Poll::Pending => return Ok(Open::Still),
        }
    }
}
