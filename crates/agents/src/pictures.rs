//! Pictures, for agents that can show them to somebody and for tools that bring some.
//!
//! Rows carry references; the bytes are read when they are needed and kept by whoever made the turn. An agent
//! reads only what its own conversation refers to, because references come from its rows alone.

use std::fmt;
use std::path::PathBuf;

use angelia_core::media::Picture;
use async_trait::async_trait;

/// The pictures that a turn can reach.
#[async_trait]
pub trait Pictures: fmt::Debug + Send + Sync {
    /// The bytes of a picture; nothing if it is not there any more.
    async fn look(&self, picture: &Picture) -> Option<Vec<u8>>;

    /// Keeps a picture that came with the result of a tool; it is durable when this returns. Or why not, in
    /// words for a model.
    async fn keep(&self, bytes: Vec<u8>, name: Option<&str>) -> Result<Picture, String>;

    /// Where the picture's file is, for programs of this machine.
    fn file(&self, picture: &Picture) -> Option<PathBuf>;
}

/// No pictures.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPictures;

#[async_trait]
impl Pictures for NoPictures {
    async fn look(&self, _picture: &Picture) -> Option<Vec<u8>> {
        None
    }

    async fn keep(&self, _bytes: Vec<u8>, _name: Option<&str>) -> Result<Picture, String> {
        Err("pictures are not kept here".to_owned())
    }

    fn file(&self, _picture: &Picture) -> Option<PathBuf> {
        None
    }
}
