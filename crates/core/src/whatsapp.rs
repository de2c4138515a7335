//! WhatsApp identities: one person under several ids.
//!
//! The same person writes as a phone number, as a number with the device behind it, or as a hidden
//! id that has nothing to do with the number. `normalise` takes off what does not belong to the
//! person; `aliases` knows which of the remaining ids are one person; `jid` makes the address that
//! an answer is sent to.
//!
//! All three are total: whatever characters an id has, there is an answer. Nothing here sends, and
//! nothing here is used for the cloud interface, whose ids are numbers already.

pub mod aliases;

/// The domain of people.
const PEOPLE: &str = "s.whatsapp.net";

/// The id without blanks around it, plus signs, device and domain. Normalising again changes
/// nothing.
#[must_use]
pub fn normalise(id: &str) -> String {
    let user = id.split([':', '@']).next().unwrap_or_default();
    let bare: String = user.chars().filter(|sign| *sign != '+').collect();
    bare.trim().to_owned()
}

/// The address that a message to `target` is sent to: a phone number gets its domain, an address
/// loses its device, and anything else is left for WhatsApp to judge.
#[must_use]
pub fn jid(target: &str) -> String {
    let target = target.trim();
    if let Some((user, domain)) = target.split_once('@') {
        let user = user.split(':').next().unwrap_or_default();
        return format!("{user}@{domain}");
    }
    match digits(target) {
        Some(digits) => format!("{digits}@{PEOPLE}"),
        None => target.to_owned(),
    }
}

/// The digits of what people write as a phone number.
fn digits(text: &str) -> Option<String> {
    let number = text.strip_prefix('+').unwrap_or(text);
    let is_filler = |sign: char| sign.is_whitespace() || ".-()".contains(sign);
    let is_number = number
        .chars()
        .all(|sign| sign.is_ascii_digit() || is_filler(sign));
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    (is_number && !digits.is_empty()).then_some(digits)
}

#[cfg(test)]
#[path = "whatsapp_tests.rs"]
mod tests;
