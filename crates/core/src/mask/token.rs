//! Tokens that are known by their form: those of Telegram bots, and JSON web tokens.

use super::rewrite::{Rewrite, is_token, run_end, run_start};
use super::{Surface, shape};

/// Digits of a bot's id.
const BOT_DIGITS_MIN: usize = 8;

/// Letters of a bot's secret.
const BOT_SECRET_MIN: usize = 30;

/// Every JSON object begins like this in base64.
pub(super) const JWT: &str = "eyJ";

/// Letters after that in the first part, and in each of the others.
const JWT_FIRST_MIN: usize = 10;
const JWT_PART_MIN: usize = 4;

/// The id stays: it is the bot's public number.
pub(super) fn telegram(text: &str, _: Surface) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    for (colon, _) in text.match_indices(':') {
        let floor = rewrite.at();
        if colon < floor {
            continue;
        }
        let digits = colon - run_start(text, (floor, colon), |byte| byte.is_ascii_digit());
        let secret = colon + 1..run_end(text, colon + 1, is_token);
        if digits >= BOT_DIGITS_MIN && secret.len() >= BOT_SECRET_MIN {
            rewrite.replace(secret, shape::HIDDEN);
        }
    }
    rewrite.finish()
}

pub(super) fn jwt(text: &str, _: Surface) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    for (start, _) in text.match_indices(JWT) {
        if start < rewrite.at() {
            continue;
        }
        let end = run_end(text, start + JWT.len(), is_token);
        if end - start >= JWT.len() + JWT_FIRST_MIN {
            let end = jwt_part(text, jwt_part(text, end));
            rewrite.replace(start..end, &shape::log(&text[start..end]));
        }
    }
    rewrite.finish()
}

/// The end of a further part, or of what there is without it.
fn jwt_part(text: &str, at: usize) -> usize {
    if !text[at..].starts_with('.') {
        return at;
    }
    let end = run_end(text, at + 1, |byte| is_token(byte) || byte == b'=');
    if end - at > JWT_PART_MIN { end } else { at }
}
