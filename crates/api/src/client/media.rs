//! Calls about pictures.

use angelia_core::media::MediaId;
use reqwest::Method;

use super::{Client, ClientError};
use crate::wire::v1::media::Picture;

impl Client {
    /// Brings a picture, to be named by a message. When this returns, it is durable.
    ///
    /// # Errors
    /// See [`ClientError`]. Bringing it again is safe.
    pub async fn bring_picture(
        &self,
        bytes: Vec<u8>,
        name: Option<&str>,
    ) -> Result<Picture, ClientError> {
        let query: Vec<_> = name
            .map(|name| ("name", name.to_owned()))
            .into_iter()
            .collect();
        let url = self.url(&["api", "v1", "media"], &query);
        self.ask(self.request(Method::POST, url).body(bytes)).await
    }

    /// The type and the bytes of a picture.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn picture(&self, id: MediaId) -> Result<(String, Vec<u8>), ClientError> {
        let url = self.url(&["api", "v1", "media", &id.to_string()], &[]);
        let answer = self.send(self.request(Method::GET, url)).await?;
        let answer = self.accepted(answer).await?;
        let kind = answer.headers().get(reqwest::header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_owned();
        let bytes = answer.bytes().await;
        let bytes = bytes.map_err(|error| ClientError::unreachable(&self.base, &error))?;
        Ok((kind, bytes.to_vec()))
    }
}
