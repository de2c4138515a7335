//! Updates that are pushed: to the address the bot gave, with the secret it chose, again until they are taken.

use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};

use super::Desk;
use super::call::{Call, Refused};
use super::updates;

/// How long a bot may take to answer, and how long it is left alone after it did not.
const PATIENCE: Duration = Duration::from_secs(10);
const AGAIN: Duration = Duration::from_millis(200);

/// Tries of one update.
const TRIES_MAX: usize = 50;

/// Where updates go.
#[derive(Debug, Clone)]
pub(super) struct Hook {
    url: String,
    secret: Option<String>,
    error: Option<String>,
}

/// `setWebhook`. The real server wants `https`; a fake on loopback does not.
pub(super) fn set(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let url = call.text("url").unwrap_or_default();
    let secret = call.text("secret_token");
    let fits = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '-');
    if secret
        .as_ref()
        .is_some_and(|secret| !secret.chars().all(fits))
    {
        return Err(Refused::bad("secret token contains unallowed characters"));
    }
    let waiting: Vec<i64> = {
        let mut world = desk.world();
        if let Some(allowed) = updates::allowed(call) {
            world.allowed = allowed;
        }
        if call.flag("drop_pending_updates") {
            world.updates.clear();
        }
        let hook = Hook {
            url: url.clone(),
            secret,
            error: None,
        };
        world.webhook = Some(hook).filter(|_| !url.is_empty());
        world.poller += 1;
        world.updates.keys().copied().collect()
    };
    desk.bell.notify_waiters();
    for number in waiting {
        push(desk, number);
    }
    Ok(json!(true))
}

/// `deleteWebhook`.
pub(super) fn delete(desk: &Desk, call: &Call) -> Value {
    let mut world = desk.world();
    world.webhook = None;
    if call.flag("drop_pending_updates") {
        world.updates.clear();
    }
    json!(true)
}

/// `getWebhookInfo`.
pub(super) fn info(desk: &Desk) -> Value {
    let world = desk.world();
    let hook = world.webhook.as_ref();
    let mut info = json!({
        "url": hook.map_or("", |hook| hook.url.as_str()),
        "has_custom_certificate": false,
        "pending_update_count": world.updates.len(),
    });
    if let Some(error) = hook.and_then(|hook| hook.error.as_ref()) {
        info["last_error_message"] = json!(error);
    }
    info
}

/// Pushes one update, if there is somewhere to push it.
#[expect(
    clippy::disallowed_methods,
    reason = "it is no part of a gateway: a push ends by itself after a few tries"
)]
pub(super) fn push(desk: &Desk, number: i64) {
    if desk.world().webhook.is_some() {
        tokio::spawn(pushing(desk.clone(), number));
    }
}

async fn pushing(desk: Desk, number: i64) {
    let Ok(client) = Client::builder().no_proxy().timeout(PATIENCE).build() else {
        return;
    };
    for _ in 0..TRIES_MAX {
        let (hook, update) = {
            let world = desk.world();
            (world.webhook.clone(), world.updates.get(&number).cloned())
        };
        let (Some(hook), Some(update)) = (hook, update) else {
            return;
        };
        let mut request = client.post(&hook.url).json(&update);
        if let Some(secret) = &hook.secret {
            request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
        }
        let answer = request.send().await;
        let wrong = match answer {
            Ok(answer) if answer.status().is_success() => {
                let mut world = desk.world();
                world.updates.remove(&number);
                world.confirmed.insert(number, update);
                return;
            }
            Ok(answer) => format!("Wrong response from the webhook: {}", answer.status()),
            Err(_) => "Connection refused".to_owned(),
        };
        if let Some(hook) = desk.world().webhook.as_mut() {
            hook.error = Some(wrong);
        }
        tokio::time::sleep(AGAIN).await;
    }
}
