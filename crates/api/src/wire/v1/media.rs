//! Pictures and files.

use angelia_core::media::enclosure::Enclosure;
use angelia_core::media::{self, MediaId};
use serde::{Deserialize, Serialize};

/// A picture that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// What it is known by; its bytes are at `/api/v1/media/{id}`.
    pub id: MediaId,
    /// What it is, by its first bytes.
    #[serde(rename = "type")]
    pub kind: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// How wide it is in pixels, if its header tells.
    pub width: Option<u32>,
    /// How high it is in pixels.
    pub height: Option<u32>,
    /// What somebody called it.
    pub name: Option<String>,
}

/// A file that an agent sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// What it is known by; its bytes are at `/api/v1/media/{id}`.
    pub id: MediaId,
    /// What it is, by its first bytes.
    #[serde(rename = "type")]
    pub kind: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// What it is called.
    pub name: String,
    /// What its name ends in where it is kept.
    pub ending: String,
    /// As what it is sent: `picture`, `animation`, `video`, `audio`, `voice` or `file`.
    #[serde(rename = "as")]
    pub form: String,
}

impl From<Enclosure> for File {
    fn from(file: Enclosure) -> Self {
        Self {
            id: file.id,
            kind: file.kind().media_type().to_owned(),
            bytes: file.bytes,
            form: file.form.name().to_owned(),
            name: file.name,
            ending: file.ending,
        }
    }
}

/// A picture that goes with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// What `POST /api/v1/media` called it.
    pub id: MediaId,
    /// What to call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl From<media::Picture> for Picture {
    fn from(picture: media::Picture) -> Self {
        Self {
            id: picture.id,
            kind: picture.kind.media_type().to_owned(),
            bytes: picture.bytes,
            width: picture.size.map(|size| size.width),
            height: picture.size.map(|size| size.height),
            name: picture.name,
        }
    }
}
