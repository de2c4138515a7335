//! Braces that make several words of one: `{rm,-rf,/}` is `rm -rf /`.
//!
//! At the place of a program they are opened even in quotes, where a shell would not: nobody has a
//! program of that name, and reading more there costs nothing.

use super::Word;

/// Words that one may become; more is not worth reading.
const WORDS_MAX: usize = 64;

/// The words that stand where a program is named.
pub(super) fn program(word: Word) -> Vec<Word> {
    opened(word)
}

/// The words that one argument stands for.
pub(super) fn arguments(word: Word) -> Vec<Word> {
    if word.bare { opened(word) } else { vec![word] }
}

fn opened(word: Word) -> Vec<Word> {
    let Some((before, members, after)) = parts(&word.text) else {
        return vec![word];
    };
    let bare = word.bare;
    let text = |member: &&str| format!("{before}{member}{after}");
    let texts: Vec<String> = members.iter().take(WORDS_MAX).map(text).collect();
    let inner = word.inner;
    let mut words: Vec<Word> = texts
        .into_iter()
        .map(|text| Word {
            text,
            bare,
            ..Word::default()
        })
        .collect();
    // What runs to make the word runs anyway; it is kept once.
    if let Some(first) = words.first_mut() {
        first.inner = inner;
    }
    words
}

/// What stands before, in and behind the first braces that have a comma; a variable has none.
fn parts(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    let open = text.find('{')?;
    let close = open + text[open..].find('}')?;
    let inside = &text[open + 1..close];
    let variable = text[..open].ends_with('$');
    let members: Vec<&str> = inside.split(',').collect();
    (members.len() > 1 && !variable && !inside.contains('{'))
        .then(|| (&text[..open], members, &text[close + 1..]))
}
