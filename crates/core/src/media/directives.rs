//! What an agent names to be sent along with its words.
//!
//! ```text
//! Here is the report. MEDIA:/srv/out/report.pdf
//! [[as_document]] MEDIA:"/srv/out/a plot.png"           [[audio_as_voice]] MEDIA:/srv/out/said.ogg
//! ```
//!
//! A path ends where its quotes do, or with the first ending that files are known by; without either it is the rest of a
//! line of its own. What stands in code, in a quoted line or as a value of JSON is words about a directive. The marks
//! in brackets are about all files of the reply. Directives are taken out of the words, also while those grow.
//!
//! Whether a file may be sent is `policy`'s to say; nothing is opened here.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// A file that is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Where it lies, as it was written.
    pub path: String,
    /// As what.
    pub way: Way,
}

/// As what a file is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// As what it is: a picture as a picture, a film as a film.
    #[default]
    AsItIs,
    /// As a file, whatever it is.
    Document,
    /// As something spoken, if it is a sound.
    Voice,
}

/// A reply, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Its words, without directives.
    pub text: String,
    /// What is to be sent.
    pub wanted: Vec<Wanted>,
}

/// Whether more words may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// They may: a directive at its end may be unfinished.
    Growing,
    /// None will.
    Whole,
}

const MEDIA: &str = "media:";

const MARKS: [(&str, Way); 2] = [
    ("[[as_document]]", Way::Document),
    ("[[audio_as_voice]]", Way::Voice),
];

/// What the names of files end in that people send each other.
const ENDINGS: [&str; 56] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "tif", "tiff", "heic", "mp4", "mov", "avi",
    "mkv", "webm", "3gp", "ogg", "oga", "opus", "mp3", "wav", "m4a", "flac", "aac", "pdf", "txt",
    "md", "csv", "tsv", "json", "xml", "yaml", "yml", "html", "htm", "doc", "docx", "odt", "xls",
    "xlsx", "ods", "ppt", "pptx", "odp", "rtf", "epub", "ics", "log", "zip", "tar", "gz", "tgz",
    "bz2", "xz", "7z", "apk",
];

/// Reads a reply.
#[must_use]
pub fn read(text: &str) -> Read {
    let found = found(text);
    let marked = found.way();
    let wanted = found.files.iter().map(|(_, path)| Wanted {
        path: path.clone(),
        way: marked,
    });
    Read {
        wanted: wanted.collect(),
        text: found.without(text).into_owned(),
    }
}

/// The words that people see of a text.
#[must_use]
pub fn words(text: &str, growth: Text) -> Cow<'_, str> {
    let mut found = found(text);
    if growth == Text::Growing {
        found.files.extend(found.unfinished.take());
    }
    found.without(text)
}

/// What stands in a text, each with its place.
#[derive(Default)]
struct Found {
    files: Vec<(Range<usize>, String)>,
    marks: Vec<(Range<usize>, Way)>,
    /// What may become a directive at the end of the text.
    unfinished: Option<(Range<usize>, String)>,
}

impl Found {
    /// As what all files are sent. What is spoken is that, whatever else is wished.
    fn way(&self) -> Way {
        let is_marked = |way: Way| self.marks.iter().any(|(_, marked)| *marked == way);
        let mut ways = [Way::Voice, Way::Document].into_iter();
        ways.find(|way| is_marked(*way)).unwrap_or_default()
    }

    /// The text without all of it, and without the empty lines that it leaves behind.
    fn without<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let files = self.files.iter().map(|(place, _)| place);
        let mut places: Vec<&Range<usize>> =
            files.chain(self.marks.iter().map(|(p, _)| p)).collect();
        if places.is_empty() {
            return Cow::Borrowed(text);
        }
        places.sort_by_key(|place| place.start);
        let (mut kept, mut from) = (String::with_capacity(text.len()), 0);
        for place in places {
            kept.push_str(&text[from..place.start]);
            from = place.end;
        }
        kept.push_str(&text[from..]);
        while kept.contains("\n\n\n") {
            kept = kept.replace("\n\n\n", "\n\n");
        }
        Cow::Owned(kept.trim().to_owned())
    }
}

fn found(text: &str) -> Found {
    let mut found = Found::default();
    let may_be = find(text, 0, MEDIA).is_some() || text.contains("[[");
    if !may_be {
        return found;
    }
    let code = code(text);
    let is_words = |at: usize| code.iter().any(|place| place.contains(&at)) || is_quoted(text, at);
    for (mark, way) in MARKS {
        let places = text.match_indices(mark).filter(|(at, _)| !is_words(*at));
        found
            .marks
            .extend(places.map(|(at, _)| (at..at + mark.len(), way)));
    }
    found.marks.sort_by_key(|(place, _)| place.start);
    let mut from = 0;
    while let Some(at) = find(text, from, MEDIA) {
        from = at + MEDIA.len();
        if is_words(at) || is_within_a_word(text, at) || is_value(text, at) {
            continue;
        }
        match path(text, at) {
            Some((place, path)) => {
                from = place.end;
                found.files.push((place, path));
            }
            None if !text[at..].contains('\n') => {
                found.unfinished = Some((at..text.len(), String::new()));
            }
            None => (),
        }
    }
    found
}

/// Where a word stands next, in whatever letters.
fn find(text: &str, from: usize, word: &str) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    let is_it = |some: &[u8]| some.eq_ignore_ascii_case(word.as_bytes());
    rest.windows(word.len()).position(is_it).map(|at| from + at)
}

/// The places of code.
fn code(text: &str) -> Vec<Range<usize>> {
    let events = Parser::new_ext(text, Options::empty()).into_offset_iter();
    let is_code =
        |event: &Event<'_>| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_)));
    let places = events.filter(|(event, _)| is_code(event));
    places.map(|(_, place)| place).collect()
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn is_quoted(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].trim_start().starts_with('>')
}

fn is_within_a_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    before.is_some_and(char::is_alphanumeric)
}

/// Whether it is a text of a program's: in quotes, behind what stands before a value.
fn is_value(text: &str, at: usize) -> bool {
    let Some(before) = text[..at].strip_suffix('"') else {
        return false;
    };
    let before = before.trim_end_matches([' ', '\t']);
    before.ends_with([':', '[', ',', '{', '('])
}

/// The file that is named at `at`, and the place of all that names it.
fn path(text: &str, at: usize) -> Option<(Range<usize>, String)> {
    let start = line_start(text, at);
    let line = text[at..].split('\n').next().unwrap_or_default();
    let line = &line[..find(line, MEDIA.len(), MEDIA).unwrap_or(line.len())];
    let rest = line[MEDIA.len()..].trim_start_matches([' ', '\t']);
    let begin = at + line.len() - rest.len();
    let opening = text[..at].chars().next_back().filter(|one| is_quote(*one));
    let outer = opening.filter(|quote| rest.contains(*quote) || *quote == '`');
    let from = at - outer.map_or(0, char::len_utf8);
    if let Some(quote) = rest.chars().next().filter(|one| is_quote(*one)) {
        let inner = rest[1..].split(quote).next()?;
        let is_closed = rest.len() > inner.len() + 1;
        let end = begin + inner.len() + 2;
        return (is_closed && is_path(inner)).then(|| (from..end, inner.to_owned()));
    }
    if !is_path(rest) {
        return None;
    }
    let alone = text[start..from].trim().is_empty();
    let length = known(rest).or_else(|| {
        let whole = rest.trim_end();
        let is_marked = whole.ends_with(['*', '~', '_', '"', '`']);
        (alone && !is_marked && !whole.contains([' ', '\t'])).then_some(whole.len())
    })?;
    let after = &rest[length..];
    let closing = outer.filter(|quote| after.starts_with(*quote));
    let end = begin + length + closing.map_or(0, char::len_utf8);
    Some((from..end, rest[..length].to_owned()))
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`')
}

fn is_path(text: &str) -> bool {
    text.starts_with('/') || text.starts_with("~/")
}

/// How long a path is that ends as files do, at the first place where it may end.
fn known(rest: &str) -> Option<usize> {
    let dots = rest.match_indices('.').map(|(dot, _)| dot);
    dots.filter_map(|dot| {
        let tail = &rest[dot + 1..];
        let is_letter = |letter: char| letter.is_ascii_alphanumeric();
        let ending = &tail[..tail.find(|letter| !is_letter(letter)).unwrap_or(tail.len())];
        let after = &tail[ending.len()..];
        let is_known = ENDINGS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending));
        (is_known && may_end(after)).then_some(dot + 1 + ending.len())
    })
    .next()
}

/// Whether a path may end before this.
fn may_end(after: &str) -> bool {
    let mut letters = after.chars();
    match letters.next() {
        None => true,
        Some('.' | '!' | '?') => letters.next().is_none_or(char::is_whitespace),
        Some(letter) => letter.is_whitespace() || "\"'`,;:)]}".contains(letter),
    }
}

#[cfg(test)]
#[path = "directives_tests.rs"]
mod tests;
