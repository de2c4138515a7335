//! Parts what a model thinks from what it says, while its words still arrive.
//!
//! Some models write their reasoning into the answer, between tags such as `<think>` and `</think>`.
//! [`Thinking`] goes through the stream character by character, so what comes out does not depend on
//! how the stream was cut: text flows on at once, a beginning that may still become a tag waits for
//! its next characters, and everything in a block goes to [`Parted::thought`].
//!
//! A block opens only where nothing but blanks stands before it on its line: in the middle of a
//! sentence a tag is what somebody writes about. A closing tag without a block goes, together with
//! the white space behind it. A block that is never closed hides the rest.
//!
//! Not here: whether thoughts are shown; the caller has them apart.

/// The names of the tags, whatever the case of their letters.
const NAMES: [&str; 5] = [
    "think",
    "thinking",
    "thought",
    "reasoning",
    "reasoning_scratchpad",
];

/// What was said and what was only thought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parted {
    /// The words for people.
    pub said: String,
    /// The inside of the blocks.
    pub thought: String,
}

/// Where a stream stands between two pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinking {
    place: Place,
    line: Line,
    /// The beginning of what may become a tag.
    tag: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Outside of blocks.
    Said,
    /// Right behind a closing tag that closed nothing: white space goes.
    Stray,
    /// Inside a block.
    Thought,
}

/// What the line has had so far, outside of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Blank,
    Words,
}

impl Default for Thinking {
    fn default() -> Self {
        Self::after("")
    }
}

impl Thinking {
    /// A stream that goes on behind the given words.
    #[must_use]
    pub fn after(said: &str) -> Self {
        Self {
            place: Place::Said,
            line: Line::Blank.over(said),
            tag: String::new(),
        }
    }

    /// Takes the next piece of the stream and adds what is certain about it.
    pub fn push(&mut self, piece: &str, parted: &mut Parted) {
        let mut rest = piece;
        while !rest.is_empty() {
            rest = if self.tag.is_empty() {
                self.up_to_tag(rest, parted)
            } else {
                self.grow_tag(rest, parted)
            };
        }
    }

    /// Ends the stream: what did not become a tag was text.
    pub fn finish(mut self, parted: &mut Parted) {
        self.release(parted);
    }

    /// Everything at once.
    #[must_use]
    pub fn of(text: &str) -> Parted {
        let mut parted = Parted::default();
        let mut thinking = Self::default();
        thinking.push(text, &mut parted);
        thinking.finish(&mut parted);
        parted
    }

    fn up_to_tag<'t>(&mut self, text: &'t str, parted: &mut Parted) -> &'t str {
        let at = text.find('<').unwrap_or(text.len());
        self.flow(&text[..at], parted);
        let rest = &text[at..];
        if rest.is_empty() {
            return rest;
        }
        self.tag.push('<');
        &rest[1..]
    }

    /// Adds one character to the possible tag, or finds that it is none.
    fn grow_tag<'t>(&mut self, text: &'t str, parted: &mut Parted) -> &'t str {
        let Some(next) = text.chars().next() else {
            return text;
        };
        self.tag.push(next);
        match Tag::read(&self.tag) {
            Tag::Begun => {}
            Tag::Opens => self.open(parted),
            Tag::Closes => self.close(),
            Tag::None => {
                self.tag.pop();
                self.release(parted);
                return text;
            }
        }
        &text[next.len_utf8()..]
    }

    fn open(&mut self, parted: &mut Parted) {
        if self.place != Place::Thought && self.line == Line::Blank {
            self.place = Place::Thought;
            self.tag.clear();
        } else {
            self.release(parted);
        }
    }

    fn close(&mut self) {
        self.tag.clear();
        self.place = match self.place {
            Place::Thought => Place::Said,
            Place::Said | Place::Stray => Place::Stray,
        };
    }

    fn release(&mut self, parted: &mut Parted) {
        let text = std::mem::take(&mut self.tag);
        self.flow(&text, parted);
    }

    fn flow(&mut self, text: &str, parted: &mut Parted) {
        let said = match self.place {
            Place::Thought => {
                parted.thought.push_str(text);
                return;
            }
            Place::Said => text,
            Place::Stray => text.trim_start(),
        };
        // The line break goes with a stray tag, and still begins a line.
        self.line = self.line.over(text);
        if !said.is_empty() {
            self.place = Place::Said;
        }
        parted.said.push_str(said);
    }
}

impl Line {
    fn over(self, text: &str) -> Self {
        let (before, last) = text
            .rsplit_once('\n')
            .map_or((self, text), |(_, last)| (Self::Blank, last));
        if last.trim().is_empty() {
            before
        } else {
            Self::Words
        }
    }
}

/// What some characters from a `<` on are.
enum Tag {
    Begun,
    Opens,
    Closes,
    None,
}

impl Tag {
    fn read(text: &str) -> Self {
        let inner = &text[1..];
        let (found, name) = match inner.strip_prefix('/') {
            Some(name) => (Self::Closes, name),
            None => (Self::Opens, inner),
        };
        match name.strip_suffix('>') {
            Some(whole) if is_name(whole) => found,
            None if begins_name(name) => Self::Begun,
            _ => Self::None,
        }
    }
}

fn is_name(word: &str) -> bool {
    NAMES.iter().any(|name| name.eq_ignore_ascii_case(word))
}

fn begins_name(word: &str) -> bool {
    let begin = |name: &'static str| name.get(..word.len());
    NAMES
        .iter()
        .filter_map(|name| begin(name))
        .any(|begin| begin.eq_ignore_ascii_case(word))
}

#[cfg(test)]
#[path = "think_tests.rs"]
mod tests;
