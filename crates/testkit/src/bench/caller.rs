//! One who writes into a chat of their own over HTTP and waits for the reply.

use serde_json::{Value, json};

use super::http::Http;
use super::{Trouble, message};

/// One who writes and waits.
pub(super) struct Caller {
    http: Http,
    number: u64,
    next: u64,
    after: String,
}

impl Caller {
    /// Writes into the chat `number`.
    pub(super) fn new(http: Http, number: u64) -> Self {
        Self {
            http,
            number,
            next: 0,
            after: String::new(),
        }
    }

    /// Has the usual words answered.
    pub(super) async fn talk(&mut self) -> Result<(), Trouble> {
        let text = message::inbound(self.number, 0).text;
        self.say(&text).await.map(drop)
    }

    /// Has `text` answered; the reply.
    pub(super) async fn say(&mut self, text: &str) -> Result<String, Trouble> {
        self.write(text).await?;
        self.read().await
    }

    async fn write(&mut self, text: &str) -> Result<(), Trouble> {
        let message = message::inbound(self.number, self.next);
        self.next += 1;
        let body = json!({
            "chat": message.address.chat.id, "user": { "id": message.person.id },
            "text": text, "message_id": message.message_id,
        });
        let answer = self.http.post("/api/v1/inbox", &body.to_string()).await?;
        answer.json(202).map(drop)
    }

    async fn read(&mut self) -> Result<String, Trouble> {
        let path = format!(
            "/api/v1/chats/{}/deliveries?wait=20{}",
            message::inbound(self.number, 0).address.chat.id,
            self.after
        );
        let page = self.http.get(&path).await?.json(200)?;
        let next = page["next"].as_str().ok_or("no reply came in time")?;
        self.after = format!("&after={next}");
        Ok(words(&page))
    }
}

fn words(page: &Value) -> String {
    let items = page["items"].as_array().into_iter().flatten();
    let texts = items.filter_map(|item| item["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}
