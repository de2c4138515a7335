//! Trying a server out: one tiny call of its model, and the list of the models that it has.
//!
//! For whoever sets a gateway up or looks for what is wrong. A call is the real thing (the address, the key,
//! the model, the tools, the stream) with one short question and room for a few tokens; it is tried once. Nothing is
//! stored, and what comes back never holds the key.

use std::time::Duration;

use angelia_core::transcript::entry::{Entry, Role};
use futures_util::StreamExt as _;
use reqwest::Response;
use serde_json::Value;

use super::album::Album;
use super::asking::{self, Question};
use super::audience::Audience;
use super::besides::Room;
use super::failure::Failure;
use super::provider::{self, Place, Provider, Secret};
use super::request::Calls;
use crate::events;
use crate::spending::Unlimited;
use crate::tools::set::Toolset;

/// Room for the answer: a word or two.
const ANSWER_TOKENS: u32 = 16;

/// How long a trial may take, and how long a list.
const CALL_TIME: Duration = Duration::from_secs(60);
const LIST_TIME: Duration = Duration::from_secs(15);

/// What is read of a list, and how many models of it are told.
const LIST_BYTES_MAX: usize = 1024 * 1024;
const MODELS_MAX: usize = 500;

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// Its words, if it had any within its few tokens.
    pub words: String,
    /// Tokens that it read and wrote, if it told.
    pub tokens: u64,
}

/// Calls the model once.
///
/// # Errors
/// Why it did not answer, in words that hold no key.
pub async fn call(place: &Place) -> Result<Tried, String> {
    let client = provider::client(std::slice::from_ref(place)).map_err(|why| why.to_string())?;
    let provider = Provider::new(client, place).map_err(|why| why.to_string())?;
    let question = [Entry::new(Role::User, "Say OK.".to_owned())];
    let (album, tools) = (Album::default(), Toolset::default());
    let room = Room::Within(ANSWER_TOKENS);
    let question = Question {
        system: "Answer with one word.",
        messages: &question,
        earlier: 0,
        album: &album,
        // Some models answer nobody who shows them tools, and every turn does.
        tools: tools.schemas(),
        calls: Calls::Welcome,
        room,
        chosen: None,
        spending: &Unlimited,
        measured: None,
    };
    // Nobody listens: the answer is looked at when it is whole.
    let (events, _) = events::channel();
    let mut audience = Audience::new(&events, "");
    let asked = asking::ask_once(
        &provider,
        &question,
        provider.besides().tokens(room),
        &mut audience,
    );
    let answer = tokio::time::timeout(CALL_TIME, asked).await;
    let answer = answer.map_err(|_| slow(CALL_TIME))?;
    let answer = answer.map_err(|failure| failure.why().to_owned())?;
    Ok(Tried {
        words: answer.text,
        tokens: answer.tokens.input.saturating_add(answer.tokens.output),
    })
}

/// The models that the server has, by their names there. Not every server tells.
///
/// # Errors
/// Why it does not tell, in words that hold no key.
pub async fn models(place: &Place) -> Result<Vec<String>, String> {
    let listed = tokio::time::timeout(LIST_TIME, list(place)).await;
    listed.map_err(|_| slow(LIST_TIME))?
}

async fn list(place: &Place) -> Result<Vec<String>, String> {
    let told = |failure: Failure| failure.why().to_owned();
    let client = provider::client(std::slice::from_ref(place)).map_err(|why| why.to_string())?;
    let url = provider::address(&place.base_url, "models").map_err(|why| why.to_string())?;
    let headers = provider::headers(place).map_err(|why| why.to_string())?;
    let response = client.get(url).headers(headers).send().await;
    let response = response.map_err(|error| provider::chain(&error))?;
    if !response.status().is_success() {
        return Err(told(
            provider::refused(response, place.api_key.as_ref()).await,
        ));
    }
    Ok(names(&read(response).await, place.api_key.as_ref()))
}

async fn read(response: Response) -> Vec<u8> {
    let (mut bytes, mut body) = (response.bytes_stream(), Vec::new());
    while let Some(Ok(chunk)) = bytes.next().await {
        body.extend_from_slice(&chunk);
        if body.len() > LIST_BYTES_MAX {
            break;
        }
    }
    body
}

/// The names of a list, sorted. One with our key in it is no name.
fn names(body: &[u8], key: Option<&Secret>) -> Vec<String> {
    let list: Value = serde_json::from_slice(body).unwrap_or_default();
    let items = list["data"].as_array().into_iter().flatten();
    let names = items.filter_map(|item| item["id"].as_str());
    let is_name = |name: &&str| key.is_none_or(|key| !name.contains(key.reveal()));
    let mut names: Vec<String> = names
        .filter(is_name)
        .take(MODELS_MAX)
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

fn slow(time: Duration) -> String {
    format!("it did not answer within {} seconds", time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_a_list_are_read_whatever_else_stands_in_it() {
        let body = br#"{"object":"list","data":[{"id":"b","x":1},{"id":"a"},{"name":"c"}]}"#;
        assert_eq!(names(body, None), ["a", "b"]);
        assert_eq!(names(b"<html>", None), Vec::<String>::new());
    }
}
