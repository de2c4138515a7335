//! What somebody said, as words: their text or caption, what came along, and what they answer.

use super::along;
use super::wire::{Contact, Location, Message, Poll, User, Venue};

/// Characters of a message that is answered, as the answer quotes it.
const QUOTE_CHARS_MAX: usize = 500;

/// All words of a message, without the bot's own name at their ends.
pub(super) fn words(message: &Message, me: &User) -> String {
    let parts = [message].into_iter().chain(&message.more);
    let parts: Vec<String> = parts.flat_map(own).collect();
    let text = unaddressed(parts.join("\n").trim(), me).to_owned();
    // A command must stand at the beginning to be one.
    match quote(message) {
        Some(quote) if text.is_empty() && !along::of(message).is_empty() => quote,
        Some(quote) if !text.is_empty() && !text.starts_with('/') => format!("{quote}\n{text}"),
        Some(_) | None => text,
    }
}

/// The name to show.
pub(super) fn name(user: &User) -> Option<String> {
    let last = user.last_name.as_deref().unwrap_or_default();
    let full = format!("{} {last}", user.first_name).trim().to_owned();
    Some(full)
        .filter(|name| !name.is_empty())
        .or_else(|| user.username.clone())
}

fn own(message: &Message) -> Vec<String> {
    let text = message.text.clone().or_else(|| message.caption.clone());
    text.into_iter().chain(besides(message)).collect()
}

/// What came along that is no file, in words.
fn besides(message: &Message) -> Option<String> {
    let venue = message.venue.as_ref();
    let place = message.location.map(|at| location(at, venue));
    let contact = message.contact.as_ref().map(contact);
    place
        .or(contact)
        .or_else(|| message.poll.as_ref().map(poll))
}

fn location(at: Location, venue: Option<&Venue>) -> String {
    let (latitude, longitude) = (at.latitude, at.longitude);
    match venue {
        Some(Venue { title, address }) => {
            format!("[location: {title}, {address} ({latitude}, {longitude})]")
        }
        None => format!("[location: {latitude}, {longitude}]"),
    }
}

fn contact(contact: &Contact) -> String {
    let last = contact.last_name.as_deref().unwrap_or_default();
    let name = format!("{} {last}", contact.first_name);
    format!("[contact: {}, {}]", name.trim(), contact.phone_number)
}

fn poll(poll: &Poll) -> String {
    let options = poll.options.iter().map(|option| option.text.as_str());
    let options: Vec<&str> = options.collect();
    format!("[poll: {} – {}]", poll.question, options.join(" / "))
}

/// The text without the bot's name before or behind it.
fn unaddressed<'a>(text: &'a str, me: &User) -> &'a str {
    let Some(name) = &me.username else {
        return text;
    };
    let mention = format!("@{name}");
    let is_mention = |part: &str| part.eq_ignore_ascii_case(&mention);
    if let Some((first, rest)) = text.split_once(char::is_whitespace)
        && is_mention(first.trim_end_matches([',', ':']))
    {
        return rest.trim_start();
    }
    if let Some((rest, last)) = text.rsplit_once(char::is_whitespace)
        && is_mention(last)
    {
        return rest.trim_end();
    }
    text
}

/// The line that says what is answered.
fn quote(message: &Message) -> Option<String> {
    let answered = message.reply_to_message.as_deref()?;
    let chosen = message.quote.as_ref().map(|quote| quote.text.as_str());
    let whole = answered.text.as_deref().or(answered.caption.as_deref());
    let words = chosen.or(whole)?.trim();
    if words.is_empty() {
        return None;
    }
    let short: String = words.chars().take(QUOTE_CHARS_MAX).collect();
    let cut = if short.len() < words.len() { "…" } else { "" };
    let short = short.replace('\n', " ");
    let who = answered.from.as_ref().and_then(name);
    let who = who.unwrap_or_else(|| "somebody".to_owned());
    Some(format!("[in reply to {who}: \"{short}{cut}\"]"))
}
