//! One server that has a model, and one call of it.
//!
//! The client, the address and the headers are made once; a call is a body out and a stream in. Nothing
//! limits how long an answer may take as long as something keeps coming. Dropping the call hangs up.

use std::borrow::Cow;
use std::error::Error as _;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use angelia_core::transcript::entry::Entry;
use futures_util::{Stream, StreamExt as _};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response};
use serde_json::{Map, Value};
use tokio::time::Instant;

pub use reqwest::Url;

use super::audience::Audience;
use super::besides::Besides;
use super::failure::Failure;
use super::request::Body;
use super::spoken::{Answer, Gather, NoAnswer, Spoken};
use super::sse::Records;
use super::wire::{Reader, Wire};
use super::wishes::{Limit, Manner, Manners};
use super::{pause, replay};

/// How long a server may take to answer the door.
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// How long a stream may be silent. Models think before they speak, and servers send comments meanwhile,
/// but not all of them.
const SILENCE_MAX: Duration = Duration::from_secs(300);

/// How long a stream may go on behind its last word.
const LAST_MOMENT: Duration = Duration::from_secs(1);

/// The ends of hosts whose models take the length of an answer under its newer name.
const OPENAI: [&str; 4] = [
    "openai.com",
    "openai.azure.com",
    "services.ai.azure.com",
    "cognitiveservices.azure.com",
];

/// Bytes that are read of a failure.
const FAILURE_BYTES_MAX: usize = 16 * 1024;

/// A word that must not be seen.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Keeps `word`.
    pub fn new(word: impl Into<String>) -> Self {
        Self(word.into())
    }

    /// The word, for whoever must say it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(…)")
    }
}

/// Where a model is.
#[derive(Debug, Clone)]
pub struct Place {
    /// How its server speaks.
    pub wire: Wire,
    /// The address that the wire's own path is put behind.
    pub base_url: Url,
    /// The model's name there.
    pub model: String,
    /// What opens the door, if anything is needed.
    pub api_key: Option<Secret>,
    /// The most tokens of one answer, if somebody said so.
    pub answer_tokens: Option<u32>,
    /// What it is asked besides, in its own words.
    pub request: Map<String, Value>,
}

/// The address of a server.
///
/// # Errors
/// What it should be, without repeating it: it may hold a password.
pub fn base_url(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text.trim()).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.ok_or("an address such as \"http://127.0.0.1:9000/v1\"")?;
    let is_bare = url.username().is_empty() && url.password().is_none();
    if !is_bare || url.query().is_some() || url.fragment().is_some() {
        return Err("an address without user, password, `?` and `#`; the key stands in `api_key`");
    }
    Ok(url)
}

/// Why a provider cannot even be asked.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// The key cannot be a header.
    #[error(
        "the api_key has characters that no header may have; check that it holds nothing but the key"
    )]
    Key,
    /// The address cannot have a path.
    #[error("{0} is no base address of a server; write it like http://127.0.0.1:9000/v1")]
    Address(Url),
    /// There is no client.
    #[error(
        "no HTTPS client can be made ({0}); the system needs its CA certificates, or `SSL_CERT_FILE` names them"
    )]
    Client(String),
}

/// A server that has a model.
#[derive(Debug, Clone)]
pub(super) struct Provider {
    client: Client,
    url: Url,
    headers: HeaderMap,
    wire: Wire,
    model: String,
    key: Option<Secret>,
    besides: Arc<Besides>,
    manners: Manners,
}

/// The client that all providers of a gateway share.
pub(super) fn client(places: &[Place]) -> Result<Client, Unusable> {
    client_waiting(places, SILENCE_MAX)
}

/// A client that waits so long for more.
pub(super) fn client_waiting(places: &[Place], silence: Duration) -> Result<Client, Unusable> {
    // Somebody may have chosen before; what matters is that there is a choice.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .connect_timeout(CONNECT_TIME)
        .read_timeout(silence)
        // A key must not follow wherever a server sends its callers.
        .redirect(reqwest::redirect::Policy::none());
    let is_plain = places.iter().all(|place| place.base_url.scheme() == "http");
    let builder = match is_plain {
        // A model on this machine needs no certificates, and some machines have none.
        true => builder.tls_certs_only([]),
        false => builder,
    };
    builder
        .build()
        .map_err(|error| Unusable::Client(chain(&error)))
}

impl Provider {
    pub(super) fn new(client: Client, place: &Place) -> Result<Self, Unusable> {
        Ok(Self {
            client,
            url: address(&place.base_url, place.wire.path())?,
            headers: headers(place)?,
            wire: place.wire,
            model: place.model.clone(),
            key: place.api_key.clone(),
            besides: Arc::new(Besides {
                wire: place.wire,
                answer_tokens: place.answer_tokens,
                request: place.request.clone(),
            }),
            manners: Manners::default(),
        })
    }

    /// The model's name.
    pub(super) fn model(&self) -> &str {
        &self.model
    }

    /// The same place, asked for another model.
    pub(super) fn with_model(&self, model: &str) -> Self {
        Self {
            model: model.to_owned(),
            ..self.clone()
        }
    }

    /// Whether this is the server at that address.
    pub(super) fn is_at(&self, base: &str) -> bool {
        let there = base_url(base).ok();
        let there = there.and_then(|base| address(&base, self.wire.path()).ok());
        there.is_some_and(|there| there == self.url)
    }

    /// Whether this is the same model of the same server.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.wire, &self.url, &self.model) == (other.wire, &other.url, &other.model)
    }

    /// How the server speaks.
    pub(super) fn wire(&self) -> Wire {
        self.wire
    }

    /// An answer as a row of the conversation, with the name of where it came from.
    pub(super) fn row(&self, answer: &Answer) -> Entry {
        let mut row = self.wire.row(answer);
        replay::mark(&mut row, &self.origin());
        row
    }

    /// The name of this place in rows. Seals of Anthropic's wire are a model's own, and some servers refuse those of
    /// another. Elsewhere models of one server take over from each other, and it wants back what any of them gave.
    pub(super) fn origin(&self) -> String {
        match self.wire {
            Wire::OpenAi => self.server(),
            Wire::Anthropic => format!("{} {}", self.server(), self.model),
        }
    }

    /// How it speaks and where it is, whichever model it is asked for.
    pub(super) fn server(&self) -> String {
        format!("{} {}", self.wire.name(), self.url.authority())
    }

    /// How its model is asked.
    pub(super) fn manner(&self) -> Manner {
        self.manners.of(&self.model)
    }

    /// Its model answered who was asked in this manner.
    pub(super) fn remember(&self, manner: Manner) {
        self.manners.remember(&self.model, manner);
    }

    /// What was set for its answers and requests.
    pub(super) fn besides(&self) -> &Besides {
        &self.besides
    }

    /// Under which name this server is told how long an answer may be. Newer models of OpenAI refuse the
    /// old name, and many other servers do not know the new one.
    pub(super) fn answer_limit(&self, limit: Limit) -> &'static str {
        let host = self.url.host_str().unwrap_or_default();
        let is_new = OPENAI.iter().any(|known| host.ends_with(known));
        match (self.wire, is_new, limit) {
            (Wire::OpenAi, true, Limit::Usual) | (Wire::OpenAi, false, Limit::Other) => {
                "max_completion_tokens"
            }
            (Wire::OpenAi, true, Limit::Other)
            | (Wire::OpenAi, false, Limit::Usual)
            | (Wire::Anthropic, _, _) => "max_tokens",
        }
    }

    /// Asks, and tells each piece of the answer as it comes.
    pub(super) async fn ask_with(
        &self,
        body: &Body<'_>,
        audience: &mut Audience<'_>,
    ) -> Result<Answer, Failure> {
        let response = self.send(body, audience).await?;
        let mut listening = Listening::to(self.wire, self.key.as_ref());
        let mut bytes = response.bytes_stream();
        while let Some(chunk) = next(&mut bytes, listening.over).await {
            match chunk {
                Ok(chunk) => listening.hear(&chunk, audience).await?,
                // Some servers hang up rudely once everything is said.
                Err(_) if listening.is_over() => break,
                Err(error) => return Err(broken(&error)),
            }
        }
        listening.finish(audience).await
    }

    async fn send(
        &self,
        body: &Body<'_>,
        audience: &mut Audience<'_>,
    ) -> Result<Response, Failure> {
        let sent = self
            .client
            .post(self.url.clone())
            .headers(self.headers.clone());
        let response = sent.json(body).send().await;
        let response = response.map_err(|error| {
            if !error.is_connect() {
                audience.server_reached();
            }
            broken(&error)
        })?;
        if response.status().is_success() {
            audience.server_reached();
            return Ok(response);
        }
        Err(refused(response, self.key.as_ref()).await)
    }
}

/// A stream being read.
struct Listening<'a> {
    key: Option<&'a Secret>,
    records: Records,
    reader: Reader,
    gather: Gather,
    /// When the last word was heard.
    over: Option<Instant>,
    /// The beginning of a body that is no stream of events.
    plain: Option<Vec<u8>>,
}

impl<'a> Listening<'a> {
    fn to(wire: Wire, key: Option<&'a Secret>) -> Self {
        Self {
            key,
            records: Records::default(),
            reader: wire.reader(),
            gather: Gather::default(),
            over: None,
            plain: Some(Vec::new()),
        }
    }

    fn is_over(&self) -> bool {
        self.over.is_some() || self.gather.has_stopped()
    }

    async fn hear(&mut self, bytes: &[u8], audience: &mut Audience<'_>) -> Result<(), Failure> {
        if let Some(plain) = &mut self.plain {
            plain.extend_from_slice(bytes);
            if is_object(plain) {
                let within = plain.len() <= super::sse::RECORD_BYTES_MAX;
                return within.then_some(()).ok_or_else(too_long);
            }
            let bytes = std::mem::take(plain);
            if bytes.trim_ascii().is_empty() {
                self.plain = Some(bytes);
                return Ok(());
            }
            self.plain = None;
            return self.events(&bytes, audience).await;
        }
        self.events(bytes, audience).await
    }

    async fn events(&mut self, bytes: &[u8], audience: &mut Audience<'_>) -> Result<(), Failure> {
        let records = self.records.push(bytes).map_err(|_| too_long())?;
        for record in records {
            self.record(&record, audience).await?;
        }
        Ok(())
    }

    async fn record(&mut self, record: &str, audience: &mut Audience<'_>) -> Result<(), Failure> {
        for piece in self.reader.read(&without(self.key, record)) {
            audience.hear(&piece).await;
            if piece == Spoken::Over {
                self.over.get_or_insert_with(Instant::now);
            }
            self.gather.take(piece).map_err(no_answer)?;
        }
        Ok(())
    }

    async fn finish(mut self, audience: &mut Audience<'_>) -> Result<Answer, Failure> {
        let whole = self.plain.take().filter(|plain| !plain.is_empty());
        let last = whole.map(|plain| String::from_utf8_lossy(&plain).into_owned());
        let last = last.or_else(|| self.records.finish());
        if let Some(last) = last {
            self.record(&last, audience).await?;
        }
        self.gather.finish().map_err(no_answer)
    }
}

/// What comes next. Behind the last word nothing does; the line is read to its end so that it can be used again, but
/// some servers leave it open.
async fn next<S: Stream + Unpin>(bytes: &mut S, over: Option<Instant>) -> Option<S::Item> {
    match over {
        None => bytes.next().await,
        Some(over) => {
            let last = tokio::time::timeout_at(over + LAST_MOMENT, bytes.next());
            last.await.ok().flatten()
        }
    }
}

/// Whether a body is one JSON object instead of events.
fn is_object(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'{')
}

fn too_long() -> Failure {
    no_answer(NoAnswer::TooLong)
}

fn no_answer(why: NoAnswer) -> Failure {
    match why {
        NoAnswer::Cut => {
            Failure::Unreachable("the answer broke off before it was whole".to_owned())
        }
        NoAnswer::TooLong => Failure::Rejected("the answer was longer than any may be".to_owned()),
        NoAnswer::Failed(words) => Failure::of_words(&words),
    }
}

/// What a server says without our key: some repeat it when they refuse it.
fn without<'a>(key: Option<&Secret>, said: &'a str) -> Cow<'a, str> {
    match key.map(Secret::reveal) {
        Some(key) if !key.is_empty() && said.contains(key) => said.replace(key, "…").into(),
        Some(_) | None => said.into(),
    }
}

pub(super) async fn refused(response: Response, key: Option<&Secret>) -> Failure {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let header = |name: &str| headers.get(name)?.to_str().ok().map(str::to_owned);
    let wait = pause::in_headers(header);
    let (mut bytes, mut body) = (response.bytes_stream(), Vec::new());
    while let Some(Ok(chunk)) = bytes.next().await {
        body.extend_from_slice(&chunk);
        if body.len() >= FAILURE_BYTES_MAX {
            break;
        }
    }
    Failure::of_status(status, wait, &without(key, &String::from_utf8_lossy(&body)))
}

/// What became of a line. A server that keeps it open and says nothing is told apart: waiting for it is dear.
fn broken(error: &reqwest::Error) -> Failure {
    let why = chain(error);
    match error.is_timeout() && !error.is_connect() {
        true => Failure::Silent(why),
        false => Failure::Unreachable(why),
    }
}

/// All layers of a failure: the outer one alone says nothing. Addresses stay out of it.
pub(super) fn chain(error: &reqwest::Error) -> String {
    let what = match error {
        error if error.is_connect() => "the server cannot be reached",
        error if error.is_timeout() => "the server fell silent",
        _ => "the connection failed",
    };
    let (mut words, mut source) = (what.to_owned(), error.source());
    while let Some(inner) = source {
        words = format!("{words}: {inner}");
        source = inner.source();
    }
    words
}

pub(super) fn address(base: &Url, path: &str) -> Result<Url, Unusable> {
    let mut url = base.clone();
    {
        let mut segments = url
            .path_segments_mut()
            .map_err(|()| Unusable::Address(base.clone()))?;
        segments.pop_if_empty().extend(path.split('/'));
    }
    Ok(url)
}

pub(super) fn headers(place: &Place) -> Result<HeaderMap, Unusable> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    if place.wire == Wire::Anthropic {
        let version = HeaderValue::from_static(super::anthropic::VERSION);
        headers.insert("anthropic-version", version);
    }
    if let Some(key) = &place.api_key {
        let (name, words) = match place.wire {
            Wire::OpenAi => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
            Wire::Anthropic => (
                reqwest::header::HeaderName::from_static("x-api-key"),
                key.reveal().to_owned(),
            ),
        };
        let mut value = HeaderValue::from_str(&words).map_err(|_| Unusable::Key)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}
