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

    /// Has `text` answered; the reply. What else is said in the chat meanwhile, such as the end of a
    /// process, is passed over.
    pub(super) async fn say(&mut self, text: &str) -> Result<String, Trouble> {
        let ours = self.write(text).await?;
        loop {
            let page = self.read().await?;
            if let Some(reply) = reply_to(&ours, &page) {
                return Ok(reply);
            }
        }
    }

    /// Writes; what the message is known by.
    async fn write(&mut self, text: &str) -> Result<Value, Trouble> {
        let message = message::inbound(self.number, self.next);
        self.next += 1;
        let body = json!({
            "chat": message.address.chat.id, "user": { "id": message.person.id },
            "text": text, "message_id": message.message_id,
        });
        let answer = self.http.post("/api/v1/inbox", &body.to_string()).await?;
        Ok(answer.json(202)?["inbox_id"].take())
    }

    async fn read(&mut self) -> Result<Value, Trouble> {
        let path = format!(
            "/api/v1/chats/{}/deliveries?wait=20{}",
            message::inbound(self.number, 0).address.chat.id,
            self.after
        );
        let page = self.http.get(&path).await?.json(200)?;
        let next = page["next"].as_str().ok_or("no reply came in time")?;
        self.after = format!("&after={next}");
        Ok(page)
    }
}

/// The reply to the message `ours`, if it is on this page.
fn reply_to(ours: &Value, page: &Value) -> Option<String> {
    let items = page["items"].as_array()?.iter();
    let is_ours = |item: &&Value| {
        let answered = item["inbox_ids"].as_array();
        answered.is_some_and(|answered| answered.contains(ours))
    };
    let texts = items
        .filter(is_ours)
        .filter_map(|item| item["text"].as_str());
    let reply: Vec<&str> = texts.collect();
    (!reply.is_empty()).then(|| reply.join("\n"))
}
