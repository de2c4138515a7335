//! Files on their way out: what they are decides the method, and their bytes go in parts.
//!
//! ```text
//! one file: sendPhoto, sendVideo, …        several: sendMediaGroup
//!         └── not taken as what it was to be ──▶ as a document: nothing was sent by then
//! ```
//!
//! A file is read while it is sent, piece by piece, so memory holds one piece however large it is.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::time::Duration;

use angelia_core::address::Address;
use angelia_core::id::DeliveryId;
use angelia_core::media::enclosure::{self, Enclosure, Form};
use angelia_core::multipart::{Multipart, Part};
use angelia_core::outbound::{Reach, Receipt, SendError};
use futures_util::stream;
use reqwest::Body;
use serde_json::{Value, json};

use super::Telegram;
use super::fault::Fault;
use super::line::Load;
use super::wire::Message;

/// Bytes that are read at once.
const PIECE_BYTES: usize = 64 * 1024;

/// What a courier keeps for itself of the time that files may take.
const SPARE: Duration = Duration::from_secs(10);

/// Files that go out together.
pub(super) struct Parcel {
    key: DeliveryId,
    files: Vec<Enclosure>,
    paths: VecDeque<PathBuf>,
    bytes: u64,
    time: Duration,
    quoted: Option<Value>,
}

/// As what the files go out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guise {
    /// As what they are.
    Themselves,
    /// As documents, which Telegram takes as they are.
    Documents,
}

impl Parcel {
    /// Looks for the files. One that is gone is never sent.
    pub(super) async fn weigh(
        key: DeliveryId,
        files: Vec<(Enclosure, PathBuf)>,
    ) -> Result<Self, SendError> {
        let (files, paths): (Vec<_>, VecDeque<PathBuf>) = files.into_iter().unzip();
        let looked = paths.clone();
        let bytes = tokio::task::spawn_blocking(move || {
            let sizes = looked.iter().map(|path| Ok(path.metadata()?.len()));
            sizes.sum::<io::Result<u64>>()
        });
        let gone = || SendError::Refused {
            reach: Reach::Message,
            why: "its file is not there any more".to_owned(),
        };
        Ok(Self {
            key,
            bytes: bytes.await.ok().and_then(Result::ok).ok_or_else(gone)?,
            time: enclosure::time(&files).to_std().saturating_sub(SPARE),
            files,
            paths,
            quoted: None,
        })
    }

    /// The same, below the message that it answers.
    pub(super) fn quoting(self, quoted: Option<Value>) -> Self {
        Self { quoted, ..self }
    }

    /// The method that takes these files.
    fn method(&self, guise: Guise) -> &'static str {
        match self.files.as_slice() {
            [one] => words(one.form, guise).0,
            _ => "sendMediaGroup",
        }
    }

    fn load(&self, chat: &str, address: &Address, guise: Guise) -> Load {
        let mut form = Multipart::new(self.key.bits()).field("chat_id", chat);
        if let Some(thread) = &address.thread {
            form = form.field("message_thread_id", thread);
        }
        if let Some(quoted) = &self.quoted {
            form = form.field("reply_parameters", &quoted.to_string());
        }
        if self.files.len() > 1 {
            form = form.field("media", &self.list(guise).to_string());
        }
        for (number, file) in self.files.iter().enumerate() {
            let field = match self.files.len() {
                1 => words(file.form, guise).1.to_owned(),
                _ => format!("file{number}"),
            };
            form = form.place(Part {
                field: &field,
                name: &file.name,
                media_type: file.kind().media_type(),
                bytes: b"",
            });
        }
        let (kind, pieces) = form.finish_around();
        let around: usize = pieces.iter().map(Vec::len).sum();
        Load {
            kind,
            bytes: self.bytes + around as u64,
            body: body(pieces.into(), self.paths.clone()),
        }
    }

    /// What an album shows, in order.
    fn list(&self, guise: Guise) -> Value {
        let item = |(number, file): (usize, &Enclosure)| json!({ "type": words(file.form, guise).1, "media": format!("attach://file{number}") });
        self.files.iter().enumerate().map(item).collect()
    }
}

/// The method that sends a file, and its field there.
const fn words(form: Form, guise: Guise) -> (&'static str, &'static str) {
    match (guise, form) {
        (Guise::Themselves, Form::Picture) => ("sendPhoto", "photo"),
        (Guise::Themselves, Form::Animation) => ("sendAnimation", "animation"),
        (Guise::Themselves, Form::Video) => ("sendVideo", "video"),
        (Guise::Themselves, Form::Audio) => ("sendAudio", "audio"),
        (Guise::Themselves, Form::Voice) => ("sendVoice", "voice"),
        (Guise::Themselves, Form::File) | (Guise::Documents, _) => ("sendDocument", "document"),
    }
}

/// What is left to be said of a body.
struct Rest {
    pieces: VecDeque<Vec<u8>>,
    paths: VecDeque<PathBuf>,
    file: Option<File>,
}

/// A body whose files are read when their turn comes.
fn body(pieces: VecDeque<Vec<u8>>, paths: VecDeque<PathBuf>) -> Body {
    let file = None;
    let rest = Rest {
        pieces,
        paths,
        file,
    };
    Body::wrap_stream(stream::try_unfold(rest, |mut rest| async move {
        let read = tokio::task::spawn_blocking(move || (rest.next(), rest));
        let (piece, rest) = read.await.map_err(io::Error::other)?;
        Ok::<_, io::Error>(piece?.map(|piece| (piece, rest)))
    }))
}

impl Rest {
    /// The next piece: of the file that is open, or what stands before the next one.
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(file) = &mut self.file {
            let mut piece = vec![0; PIECE_BYTES];
            let count = file.read(&mut piece)?;
            piece.truncate(count);
            if count > 0 {
                return Ok(Some(piece));
            }
            self.file = None;
        }
        let piece = self.pieces.pop_front();
        if piece.is_some() {
            self.file = self.paths.pop_front().map(File::open).transpose()?;
        }
        Ok(piece)
    }
}

impl Telegram {
    pub(super) async fn send_files(
        &self,
        address: &Address,
        parcel: &Parcel,
    ) -> Result<Receipt, Fault> {
        let sent = self.hand_in(address, parcel, Guise::Themselves).await;
        let no = sent.as_ref().err().and_then(Fault::no);
        match no.is_some_and(|no| no.is_of_the_file()) {
            true => self.hand_in(address, parcel, Guise::Documents).await,
            false => sent,
        }
    }

    /// In the chat, or in what it has become.
    async fn hand_in(
        &self,
        address: &Address,
        parcel: &Parcel,
        guise: Guise,
    ) -> Result<Receipt, Fault> {
        let chat = address.chat.id.clone();
        let sent = self.upload((chat, address), parcel, guise).await;
        let moved = sent.as_ref().err().and_then(|fault| fault.no()?.moved_to);
        match moved {
            Some(chat) => {
                let chat = chat.to_string();
                self.upload((chat, address), parcel, guise).await
            }
            None => sent,
        }
    }

    /// The receipt names the first message of an album: the others follow it.
    async fn upload(
        &self,
        (chat, address): (String, &Address),
        parcel: &Parcel,
        guise: Guise,
    ) -> Result<Receipt, Fault> {
        let (method, load) = (parcel.method(guise), parcel.load(&chat, address, guise));
        let shown: Shown = self.line.upload(method, load, parcel.time).await?;
        let first = match &shown {
            Shown::One(message) => Some(&**message),
            Shown::Album(messages) => messages.first(),
        };
        let number = first.map(|message| message.message_id.to_string());
        number.map(Receipt).ok_or_else(|| {
            let why = "it names no message".to_owned();
            Fault::Lost(why)
        })
    }
}

/// What Telegram shows.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Shown {
    One(Box<Message>),
    Album(Vec<Message>),
}
