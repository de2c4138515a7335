//! How a connection is made: in the open or encrypted, as its address asks for.
//!
//! | `sslmode` | encrypted | whose certificate |
//! |---|---|---|
//! | `disable` | no | |
//! | `prefer` | if the server can | anybody's |
//! | `require` | yes | anybody's; with `sslrootcert` as `verify-ca` |
//! | `verify-ca` | yes | somebody's whom an authority of `sslrootcert` knows |
//! | `verify-full` | yes | the same, and for the name in the address |
//!
//! Without `sslmode` a server on this machine is asked for `prefer`, and every other for `require`: no password leaves the
//! machine in the open unless somebody wrote that it may. `sslrootcert` is a file, or `system`, which is also meant
//! if a certificate shall be checked and nothing is named; `system` alone asks for `verify-full`.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::config::SslMode;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::{Config, Error};
use tokio_rustls::TlsConnector;

use super::trust::{self, Check, Roots};
use super::wire::Ends;
use crate::StoreError;
use crate::database::fault::Fault;

/// What was asked for, by the names that PostgreSQL's own programs use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl Mode {
    /// The mode of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "disable" => Some(Self::Disable),
            "allow" | "prefer" => Some(Self::Prefer),
            "require" => Some(Self::Require),
            "verify-ca" => Some(Self::VerifyCa),
            "verify-full" => Some(Self::VerifyFull),
            _ => None,
        }
    }

    const fn ssl(self) -> SslMode {
        match self {
            Self::Disable => SslMode::Disable,
            Self::Prefer => SslMode::Prefer,
            Self::Require | Self::VerifyCa | Self::VerifyFull => SslMode::Require,
        }
    }
}

/// How a connection came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// In the open.
    Open,
    /// Encrypted, to whoever answered.
    Encrypted,
    /// Encrypted, to somebody whom an authority knows.
    Known,
    /// Encrypted, to the server that the address names.
    Checked,
}

/// What is needed to make connections.
#[derive(Debug, Clone)]
pub(crate) struct Tls {
    mode: Mode,
    check: Check,
    client: Arc<ClientConfig>,
}

impl Tls {
    /// For this mode and these authorities.
    pub(super) fn of(mode: Mode, roots: Option<Roots>) -> Result<Self, StoreError> {
        let check = match (mode, &roots) {
            (Mode::Disable | Mode::Prefer, _) | (Mode::Require, None) => Check::Nothing,
            (Mode::Require, Some(_)) | (Mode::VerifyCa, _) => Check::Authority,
            (Mode::VerifyFull, _) => Check::Name,
        };
        let client = trust::client(check, roots.unwrap_or(Roots::System))?;
        Ok(Self {
            mode,
            check,
            client: Arc::new(client),
        })
    }

    /// Connects, and says how.
    pub(super) async fn connect(&self, config: &Config) -> Result<(Ends, Link), Fault> {
        let mut config = config.clone();
        config.ssl_mode(self.mode.ssl());
        let stage = Progress::default();
        let asking = Asking {
            client: Arc::clone(&self.client),
            stage: stage.clone(),
        };
        let connected = Ends::to(&config, asking).await;
        let ends = connected.map_err(|error| self.fault(error, &stage))?;
        let link = match (stage.get(), self.check) {
            (Stage::Done, Check::Nothing) => Link::Encrypted,
            (Stage::Done, Check::Authority) => Link::Known,
            (Stage::Done, Check::Name) => Link::Checked,
            (Stage::None | Stage::Begun, _) => Link::Open,
        };
        Ok((ends, link))
    }

    /// A server that does not encrypt, and one that is not who it should be, are told apart from one that is not there.
    fn fault(&self, error: Error, stage: &Progress) -> Fault {
        use std::error::Error as _;
        let source = error
            .source()
            .and_then(|source| source.downcast_ref::<io::Error>());
        if stage.get() == Stage::Begun {
            let inner = source.and_then(io::Error::get_ref);
            let refused = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>());
            return match refused {
                Some(refused) => Fault::Untrusted(trust::words(refused)),
                None => Fault::Postgres(error),
            };
        }
        let is_told = error.as_db_error().is_some() || source.is_some();
        let is_refused = stage.get() == Stage::None && self.mode.ssl() == SslMode::Require;
        if is_refused && !is_told && error.source().is_some() {
            return Fault::Untrusted(UNENCRYPTED.to_owned());
        }
        Fault::Postgres(error)
    }
}

/// What is said of a server that does not encrypt.
const UNENCRYPTED: &str = "the server does not encrypt, and so was told nothing; turn on `ssl` there, or, in a network that you \
                           trust, write `sslmode=disable` into the address";

/// How far the encryption of a connection came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// The server has not agreed to it.
    #[default]
    None,
    /// It has.
    Begun,
    /// It is there.
    Done,
}

/// The same, where those who ask and those who wait see it.
#[derive(Debug, Clone, Default)]
struct Progress(Arc<Mutex<Stage>>);

impl Progress {
    fn get(&self) -> Stage {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, stage: Stage) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }
}

/// What the client library asks for a stream that is encrypted.
struct Asking {
    client: Arc<ClientConfig>,
    stage: Progress,
}

/// The same for one server.
struct AskingOne {
    client: Arc<ClientConfig>,
    name: ServerName<'static>,
    stage: Progress,
}

/// A stream that is encrypted.
struct Encrypted<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Asking {
    type Stream = Encrypted<S>;
    type TlsConnect = AskingOne;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<AskingOne> {
        // A socket of this machine has no name, and is never encrypted.
        let domain = if domain.is_empty() {
            "localhost"
        } else {
            domain
        };
        let name = ServerName::try_from(domain.to_owned());
        Ok(AskingOne {
            client: Arc::clone(&self.client),
            name: name.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?,
            stage: self.stage.clone(),
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for AskingOne {
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            self.stage.set(Stage::Begun);
            let connector = TlsConnector::from(self.client);
            let stream = connector.connect(self.name, stream).await?;
            self.stage.set(Stage::Done);
            Ok(Encrypted(stream))
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
