//! One who asks over chat completions and reads the streamed answer to its end.

use std::time::Duration;

use super::upstream::WORD;
use crate::bench::http::Http;
use crate::bench::{Trouble, clock};

/// One who asks.
pub(super) struct Asker {
    http: Http,
}

impl Asker {
    pub(super) fn new(http: Http) -> Self {
        Self { http }
    }

    /// Asks; how long it took until the model's first word was here. Returns when all of the answer is.
    pub(super) async fn ask(&mut self, prompt: &str) -> Result<Duration, Trouble> {
        let body = format!(
            "{{\"model\":\"angelia\",\"stream\":true,\"messages\":[{{\"role\":\"user\",\"content\":\"{prompt}\"}}]}}"
        );
        let began = clock::now();
        let mut first = None;
        self.http
            .events("/v1/chat/completions", &body, |record| {
                if first.is_none() && record.contains(WORD) {
                    first = Some(began.elapsed());
                }
            })
            .await?;
        Ok(first.ok_or("the answer had no word of the model in it")?)
    }
}
