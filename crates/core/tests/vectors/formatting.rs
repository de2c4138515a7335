//! Markdown in the writing of each platform.
//!
//! The reference rewrites Markdown with patterns; ours reads it. A case is the same, or its text has a
//! feature in which the patterns go wrong or which we show otherwise on purpose; `docs/conformance.md`
//! has the reason for each. Features are found here apart from our reader.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the events and tags of the parser are many more than the features that count here"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use angelia_core::text::render::{Dialect, Style, render, telegram};
use angelia_core::text::{Limit, Unit};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
use serde::Deserialize;

use crate::cases;

/// What a text has that the reference's patterns do not read, or that we show otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Feature {
    /// Emphasis with underscores.
    Underscore,
    /// A style in a style, in a heading or in a link, or right beside another.
    Nested,
    /// A style over several lines.
    Lines,
    /// A mark that marks nothing: a lone star, an unclosed back-tick.
    Loose,
    /// Code between two back-ticks or more.
    Ticks,
    /// Code that is never closed.
    Unclosed,
    /// Characters with a meaning inside of code.
    MarksInCode,
    /// A language behind a fence.
    Language,
    /// More than a language behind a fence.
    Info,
    /// Back-slashes and named characters.
    Escape,
    /// An address between angle brackets.
    Autolink,
    Link,
    Image,
    Table,
    /// A table with a cell that is empty or too many.
    Uneven,
    /// A list with stars or plus signs.
    Bullet,
    Rule,
    /// A heading that is underlined.
    Underlined,
    /// A heading of the fourth level or deeper.
    Deep,
    Strike,
    Quote,
    /// A quote in a quote, or one that goes on without its mark.
    OddQuote,
    /// Code that begins the text with a blank.
    Indented,
    /// White space at the ends, carriage returns, runs of empty lines.
    Space,
}

/// Differences that every dialect has: the reference's patterns read the text wrongly.
const MISREAD: [Feature; 15] = [
    Feature::Underscore,
    Feature::Nested,
    Feature::Lines,
    Feature::Loose,
    Feature::Ticks,
    Feature::Unclosed,
    Feature::Escape,
    Feature::Autolink,
    Feature::Image,
    Feature::Uneven,
    Feature::Bullet,
    Feature::Rule,
    Feature::Underlined,
    Feature::OddQuote,
    Feature::Space,
];

fn shown_otherwise(dialect: Dialect) -> &'static [Feature] {
    match dialect {
        Dialect::TelegramMarkdown => &[Feature::Info, Feature::Quote],
        Dialect::Slack | Dialect::WhatsApp => &[Feature::Table, Feature::Language],
        Dialect::Signal => &[
            Feature::Table,
            Feature::Link,
            Feature::MarksInCode,
            Feature::Info,
        ],
        Dialect::Plain => &[
            Feature::Table,
            Feature::Link,
            Feature::MarksInCode,
            Feature::Info,
            Feature::Strike,
            Feature::Indented,
        ],
        Dialect::Discord => &[Feature::Deep, Feature::Info],
        Dialect::TelegramHtml => &[],
    }
}

struct Found<'t> {
    text: &'t str,
    features: BTreeSet<Feature>,
    styles: usize,
    quotes: usize,
    style_end: Option<usize>,
    code: Option<Range<usize>>,
    columns: usize,
    cells: usize,
}

fn features(text: &str) -> BTreeSet<Feature> {
    let mut found = Found {
        text,
        features: BTreeSet::new(),
        styles: 0,
        quotes: 0,
        style_end: None,
        code: None,
        columns: 0,
        cells: 0,
    };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        found.event(&event, range);
    }
    let spaced = text.trim() != text || text.contains("\n\n\n") || text.contains('\r');
    if spaced || text.contains("  \n") {
        found.features.insert(Feature::Space);
    }
    found.features
}

impl Found<'_> {
    fn add(&mut self, feature: Feature) {
        self.features.insert(feature);
    }

    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(end) => {
                use pulldown_cmark::TagEnd as End;
                match end {
                    End::Strong | End::Emphasis | End::Strikethrough => {
                        self.styles -= 1;
                        self.style_end = Some(range.end);
                    }
                    End::Heading(_) | End::Link => self.styles -= 1,
                    End::BlockQuote(_) => self.quotes -= 1,
                    End::CodeBlock => self.code = None,
                    End::TableRow if self.cells != self.columns => self.add(Feature::Uneven),
                    _ => {}
                }
            }
            Event::Text(_) if self.code.is_some() => self.in_code(range),
            Event::Text(_) => self.words(range),
            Event::Code(_) => {
                if self.text[range.clone()].starts_with("``") {
                    self.add(Feature::Ticks);
                }
                self.in_code(range.start + 1..range.end - 1);
            }
            Event::SoftBreak | Event::HardBreak => {
                if self.styles > 0 {
                    self.add(Feature::Lines);
                }
                let next = self.text[range.end..].trim_start_matches(' ');
                if self.quotes > 0 && !next.starts_with('>') {
                    self.add(Feature::OddQuote);
                }
            }
            Event::Rule => self.add(Feature::Rule),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let source = &self.text[range.clone()];
        match tag {
            Tag::Strong | Tag::Emphasis | Tag::Strikethrough => {
                if source.starts_with('_') {
                    self.add(Feature::Underscore);
                }
                if self.styles > 0 || self.style_end == Some(range.start) {
                    self.add(Feature::Nested);
                }
                if source.starts_with('~') {
                    self.add(Feature::Strike);
                }
                self.styles += 1;
            }
            Tag::Heading { level, .. } => {
                if !source.starts_with('#') {
                    self.add(Feature::Underlined);
                }
                if *level as usize > 3 {
                    self.add(Feature::Deep);
                }
                self.styles += 1;
            }
            Tag::Link { link_type, .. } => {
                self.add(match link_type {
                    LinkType::Autolink | LinkType::Email => Feature::Autolink,
                    _ => Feature::Link,
                });
                self.styles += 1;
            }
            Tag::Image { .. } => self.add(Feature::Image),
            Tag::BlockQuote(_) => {
                self.add(if self.quotes > 0 {
                    Feature::OddQuote
                } else {
                    Feature::Quote
                });
                self.quotes += 1;
            }
            Tag::Item if source.starts_with(['*', '+']) => self.add(Feature::Bullet),
            Tag::CodeBlock(_) => self.fence(range),
            Tag::Table(columns) => {
                self.columns = columns.len();
                self.add(Feature::Table);
            }
            Tag::TableRow => {
                self.cells = source.trim().trim_matches('|').split('|').count();
                if source
                    .split('|')
                    .skip(1)
                    .any(|it| it.trim().is_empty() && it.contains(' '))
                {
                    self.add(Feature::Uneven);
                }
            }
            _ => {}
        }
    }

    fn fence(&mut self, range: Range<usize>) {
        let source = self.text[range.clone()].trim_end();
        let first = source.lines().next().unwrap_or_default();
        let info = first.trim_start_matches(['`', '~']).trim();
        if !info.is_empty() {
            self.add(Feature::Language);
        }
        if info.contains(' ') {
            self.add(Feature::Info);
        }
        let code = source.lines().nth(1).unwrap_or_default();
        if range.start == 0 && code.starts_with(' ') {
            self.add(Feature::Indented);
        }
        let last = source.lines().last().unwrap_or_default();
        if !last.trim().starts_with("```")
            || !last.trim().trim_matches('`').is_empty()
            || source == first
        {
            self.add(Feature::Unclosed);
        }
        self.code = Some(range);
    }

    fn in_code(&mut self, range: Range<usize>) {
        if self.text[range].contains(['*', '_', '`', '[', '#', '>', '~']) {
            self.add(Feature::MarksInCode);
        }
    }

    fn words(&mut self, range: Range<usize>) {
        let word = &self.text[range.clone()];
        if word.starts_with(['*', '`']) || word.contains(['*', '`']) || word.contains("||") {
            self.add(Feature::Loose);
        }
        if self.text[..range.start].ends_with('\\') || word.starts_with('#') {
            self.add(Feature::Escape);
        }
        // A named character is an event of its own, whose source is the name.
        if word.starts_with('&') && word.ends_with(';') {
            self.add(Feature::Escape);
        }
    }
}

fn whole(text: &str, dialect: Dialect) -> (String, Vec<String>) {
    let limit = Limit {
        max: 1 << 30,
        unit: Unit::Utf16,
    };
    let message = render(text, dialect, limit).pop().unwrap_or_default();
    let ranges = message.ranges.iter().map(|range| {
        let style = match range.style {
            Style::Bold => "BOLD",
            Style::Italic => "ITALIC",
            Style::Strike => "STRIKETHROUGH",
            Style::Spoiler => "SPOILER",
            Style::Mono => "MONOSPACE",
        };
        format!("{}:{}:{style}", range.start, range.len)
    });
    (message.text, ranges.collect())
}

/// How many cases are the same, and how often each feature stands in one that is not.
#[derive(Debug, Default)]
struct Tally {
    same: usize,
    different: usize,
    features: BTreeMap<Feature, usize>,
}

impl Tally {
    fn judge(
        &mut self,
        case: (&str, &str),
        dialect: Dialect,
        theirs: &str,
        styles: Option<&[String]>,
    ) {
        let (id, text) = case;
        let (ours, ranges) = whole(text, dialect);
        if ours == theirs && styles.is_none_or(|styles| styles == ranges) {
            self.same += 1;
            return;
        }
        let allowed = |feature: &Feature| {
            MISREAD.contains(feature) || shown_otherwise(dialect).contains(feature)
        };
        let why: Vec<Feature> = features(text).into_iter().filter(allowed).collect();
        assert!(
            !why.is_empty(),
            "{id}: {ours:?} {ranges:?} instead of {theirs:?} {styles:?}"
        );
        self.different += 1;
        for feature in why {
            *self.features.entry(feature).or_default() += 1;
        }
    }
}

#[derive(Deserialize)]
struct Telegram {
    id: String,
    text: String,
    mdv2: String,
    escaped: String,
}

#[test]
fn telegram_gets_the_reference_s_markdown_unless_it_misread_the_text() {
    let mut tally = Tally::default();
    for case in cases::<Telegram>("gateway/format_telegram_mdv2.json") {
        assert_eq!(telegram::escape(&case.text), case.escaped, "{}", case.id);
        let told = (case.id.as_str(), case.text.as_str());
        tally.judge(told, Dialect::TelegramMarkdown, &case.mdv2, None);
    }
    eprintln!("{tally:?}");
}

#[derive(Deserialize)]
struct Slack {
    id: String,
    text: String,
    mrkdwn: String,
}

#[test]
fn slack_gets_the_reference_s_marks_unless_it_misread_the_text() {
    let mut tally = Tally::default();
    for case in cases::<Slack>("gateway/format_slack_mrkdwn.json") {
        tally.judge((&case.id, &case.text), Dialect::Slack, &case.mrkdwn, None);
    }
    eprintln!("{tally:?}");
}

#[derive(Deserialize)]
struct WhatsApp {
    id: String,
    text: String,
    whatsapp: String,
}

#[test]
fn whatsapp_gets_the_reference_s_marks_unless_it_misread_the_text() {
    let mut tally = Tally::default();
    for case in cases::<WhatsApp>("gateway/format_whatsapp.json") {
        tally.judge(
            (&case.id, &case.text),
            Dialect::WhatsApp,
            &case.whatsapp,
            None,
        );
    }
    eprintln!("{tally:?}");
}

#[derive(Deserialize)]
struct Signal {
    id: String,
    text: String,
    body: String,
    styles: Vec<String>,
}

#[test]
fn signal_gets_the_reference_s_text_and_ranges_unless_it_misread_the_text() {
    let mut tally = Tally::default();
    for case in cases::<Signal>("gateway/format_signal.json") {
        let told = (case.id.as_str(), case.text.as_str());
        tally.judge(told, Dialect::Signal, &case.body, Some(&case.styles));
    }
    eprintln!("{tally:?}");
}

#[derive(Deserialize)]
struct Plain {
    id: String,
    text: String,
    plain: String,
    tables_to_bullets: String,
}

#[test]
fn plain_text_and_discord_s_tables_are_the_reference_s_unless_it_misread_the_text() {
    let (mut plain, mut tables) = (Tally::default(), Tally::default());
    for case in cases::<Plain>("gateway/format_plain_and_tables.json") {
        let told = (case.id.as_str(), case.text.as_str());
        plain.judge(told, Dialect::Plain, &case.plain, None);
        tables.judge(told, Dialect::Discord, &case.tables_to_bullets, None);
    }
    eprintln!("plain: {plain:?}\ntables: {tables:?}");
}
