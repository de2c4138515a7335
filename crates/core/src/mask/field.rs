//! Fields of JSON and YAML whose name tells a secret.
//!
//! JSON has a list of names, since there a field has quotes and stands anywhere. A line of YAML has a name
//! with a telling word in it and one unquoted word for a value: more words are prose.

use std::ops::Range;

use super::named::{closing, has_api_key, is_dotted, is_lookup};
use super::rewrite::{Rewrite, is_blank, lines, run_end, run_start, word_end};
use super::{Surface, shape};

const JSON_NAMES: [&str; 13] = [
    "apikey",
    "api_key",
    "token",
    "secret",
    "password",
    "access_token",
    "refresh_token",
    "auth_token",
    "bearer",
    "secret_value",
    "raw_secret",
    "secret_input",
    "key_material",
];

const YAML_WORDS: [&str; 5] = ["token", "secret", "passwd", "password", "credential"];

pub(super) fn json(text: &str, surface: Surface) -> Option<String> {
    if !surface.hides_names() {
        return None;
    }
    let mut rewrite = Rewrite::on(text, surface);
    for (colon, _) in text.match_indices(':') {
        let floor = rewrite.at();
        if colon >= floor
            && is_json_name(text, (floor, colon))
            && let Some(value) = json_value(text, colon + 1)
        {
            rewrite.replace(value.clone(), &shape::log(&text[value]));
        }
    }
    rewrite.finish()
}

/// Whether a name in quotes from the list stands before a colon.
fn is_json_name(text: &str, (floor, colon): (usize, usize)) -> bool {
    let end = run_start(text, (floor, colon), is_blank);
    let Some(inner) = text[floor..end].strip_suffix('"') else {
        return false;
    };
    let end = floor + inner.len();
    let start = run_start(text, (floor, end), |byte| {
        byte == b'_' || byte.is_ascii_alphabetic()
    });
    let name = &text[start..end];
    text[..start].ends_with('"')
        && JSON_NAMES
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
}

/// The string after a colon. One that is cut off is as secret as a whole one.
fn json_value(text: &str, from: usize) -> Option<Range<usize>> {
    let first = run_end(text, from, is_blank);
    let start = first + text[first..].strip_prefix('"').map(|_| 1)?;
    let cut = || {
        text[start..]
            .find('\n')
            .map_or(text.len(), |end| start + end)
    };
    let value = start..closing(text, start, '"').unwrap_or_else(cut);
    (!value.is_empty()).then_some(value)
}

pub(super) fn yaml(text: &str, surface: Surface) -> Option<String> {
    if !surface.hides_names() {
        return None;
    }
    let mut rewrite = Rewrite::on(text, surface);
    for line in lines(text) {
        if let Some(value) = yaml_value(&text[line.clone()]) {
            let value = line.start + value.start..line.start + value.end;
            rewrite.replace(value.clone(), &shape::log(&text[value]));
        }
    }
    rewrite.finish()
}

fn yaml_value(line: &str) -> Option<Range<usize>> {
    let indent = run_end(line, 0, |byte| is_blank(byte) || byte == b'-');
    let colon = run_end(line, indent, is_dotted);
    let after = line[colon..].strip_prefix(": ").map(|_| colon + 1)?;
    if line.contains("://") || !has_yaml_word(&line[indent..colon]) {
        return None;
    }
    let first = run_end(line, after, is_blank);
    let value = first..word_end(line, first, &[]);
    let rest = line[value.end..].trim_start();
    let is_alone = rest.is_empty() || rest.starts_with('#');
    let is_plain = !line[first..].starts_with(['"', '\'']) && !is_lookup(&line[first..]);
    (is_alone && is_plain && !value.is_empty()).then_some(value)
}

fn has_yaml_word(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    YAML_WORDS.iter().any(|word| name.contains(word)) || has_api_key(&name)
}
