//! The text so far, as the messages that should show it.
//!
//! The text is parted where the agent turned to a tool, so that what was said before stands above what
//! the tool does; each segment becomes as many messages as it needs. A segment that is, or may still
//! become, a marker of silence shows nothing, and takes nothing else along. What names a file to be sent is no words.

use super::{Manner, chars};
use crate::media::directives;
use crate::text::render::{Message, render};
use crate::text::silence::{self, Ending};
use crate::text::split;

/// A segment begins a message only with so many visible characters: less is a flicker.
const FIRST_CHARS: usize = 4;

/// A text and the places where it is parted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) text: String,
    /// In order, within the text.
    pub(super) breaks: Vec<usize>,
    /// Where the reply begins: behind what was announced.
    beginning: usize,
    /// What stands above the reply, in its first message.
    pub(super) above: String,
}

/// Whether more words may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    Open,
    Final(Ending),
}

impl Growth {
    const fn text(self) -> directives::Text {
        match self {
            Self::Open => directives::Text::Growing,
            Self::Final(_) => directives::Text::Whole,
        }
    }
}

impl Layout {
    /// The reply begins here.
    pub(super) fn begin(&mut self) {
        self.beginning = self.text.len();
    }

    /// What stands before the reply.
    pub(super) fn announced(&self) -> Option<&str> {
        Some(&self.text[..self.beginning]).filter(|text| !text.is_empty())
    }

    /// Parts the text at its end.
    pub(super) fn part(&mut self) {
        let end = self.text.len();
        if self.breaks.last() != Some(&end) && end > 0 {
            self.breaks.push(end);
        }
    }

    /// Parts the text at a place where a message ends that cannot be changed.
    pub(super) fn part_at(&mut self, place: usize) {
        if let Err(index) = self.breaks.binary_search(&place)
            && self.text.is_char_boundary(place)
            && place > 0
        {
            self.breaks.insert(index, place);
        }
    }

    /// Replaces the text; places stay as far as the text before them is the same.
    pub(super) fn replace(&mut self, text: &str) {
        let same = common(&self.text, text);
        self.breaks.retain(|place| *place <= same);
        self.beginning = self.beginning.min(same);
        text.clone_into(&mut self.text);
    }

    /// Parts the text also where another layout does, as far as the texts are the same.
    pub(super) fn keep_places_of(&mut self, other: &Self) {
        let same = common(&other.text, &self.text);
        let places = other.breaks.iter().filter(|place| **place <= same);
        places.for_each(|place| self.part_at(*place));
    }

    /// How many characters the segment has that is being written.
    pub(super) fn open_chars(&self) -> usize {
        chars(self.segments().last().map_or("", |(_, text)| text).trim())
    }

    /// The messages that should be seen.
    pub(super) fn messages(&self, manner: &Manner, growth: Growth) -> Vec<Message> {
        let mut messages = Vec::new();
        let mut start = 0;
        for (end, segment) in self.segments() {
            let is_last = end == self.text.len();
            let growth = if !is_last && growth == Growth::Open {
                Growth::Final(Ending::Answered)
            } else {
                growth
            };
            let above = if start == self.beginning {
                &*self.above
            } else {
                ""
            };
            start = end;
            let segment = directives::words(segment, growth.text());
            if let Some(shown) = shown(above, &segment, growth) {
                messages.extend(written(&shown, manner));
            }
        }
        messages
    }

    /// Each segment with its end.
    fn segments(&self) -> impl Iterator<Item = (usize, &str)> {
        let ends = self.breaks.iter().copied().chain([self.text.len()]);
        let starts = [0].into_iter().chain(self.breaks.iter().copied());
        starts
            .zip(ends)
            .map(|(start, end)| (end, &self.text[start..end]))
    }
}

/// A segment with what stands above it; nothing while it should not be seen.
fn shown(above: &str, segment: &str, growth: Growth) -> Option<String> {
    if !is_shown(segment, growth) {
        let thinks = growth == Growth::Open && segment.trim().is_empty() && !above.is_empty();
        return thinks.then(|| above.to_owned());
    }
    if above.is_empty() {
        return Some(segment.to_owned());
    }
    Some(format!("{above}\n\n{}", segment.trim_start_matches('\n')))
}

/// Where the adapter writes a text in its platform's manner, it stays as it is.
fn written(segment: &str, manner: &Manner) -> Vec<Message> {
    let Some(dialect) = manner.dialect else {
        let lines = segment.trim_start_matches(['\n', '\r']).trim_end();
        let parts = split(lines, manner.room()).into_iter();
        return parts.map(Message::bare).collect();
    };
    render(segment, dialect, manner.room())
}

fn is_shown(segment: &str, growth: Growth) -> bool {
    match growth {
        Growth::Open => {
            chars(segment.trim()) >= FIRST_CHARS && !silence::may_become_marker(segment)
        }
        Growth::Final(ending) => !silence::suppresses(segment, ending),
    }
}

/// How many bytes two texts have in common at their beginning, in whole characters.
fn common(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
    one.floor_char_boundary(same.count())
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
