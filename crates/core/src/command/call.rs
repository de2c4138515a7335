//! Whether a text calls a command: its name and what stands behind it.
//!
//! A call begins with a slash as the very first character. Its name reaches to the first white space, is
//! read in lower case, and loses the `@name` that group chats put behind it. A name holds letters,
//! digits, `-` and `_`; whatever else begins with a slash (`/usr/bin`, `//`, `/ `) is no call. Which
//! commands there are is not asked here.

/// A call of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call<'t> {
    /// The name, in lower case.
    pub name: String,
    /// What stands behind it, without white space around.
    pub arguments: &'t str,
}

/// The call that a text is, if it is one.
pub fn call(text: &str) -> Option<Call<'_>> {
    let called = text.strip_prefix('/')?;
    let end = called.find(char::is_whitespace).unwrap_or(called.len());
    let (word, behind) = called.split_at(end);
    let name = word.split('@').next()?;
    is_name(name).then(|| Call {
        name: name.to_lowercase(),
        arguments: behind.trim(),
    })
}

fn is_name(text: &str) -> bool {
    let fits = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_');
    !text.is_empty() && text.chars().all(fits)
}
