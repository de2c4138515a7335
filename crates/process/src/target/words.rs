//! Words for a POSIX shell: whatever they hold, they arrive as they are.

/// One word, whatever it holds.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A line of words.
pub(crate) fn line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(quoted).collect();
    words.join(" ")
}

/// Bytes as the format of `printf`. All but letters and digits are written as numbers, so nothing in
/// it has a meaning of its own.
pub(crate) fn printed(bytes: &[u8]) -> String {
    let mut format = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        if byte.is_ascii_alphanumeric() {
            format.push(char::from(*byte));
        } else {
            format.push_str(&format!("\\{byte:03o}"));
        }
    }
    format
}

/// Whether a shell can have a variable of this name.
pub(crate) fn is_variable(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
        && letters.all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
