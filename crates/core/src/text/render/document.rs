//! A text as blocks and inlines: what every platform's flavour is written from.
//!
//! It has what chat platforms can show, and no more: references are resolved, HTML is text, breaks are
//! where the author made them. [`Gap`] keeps the author's blank lines, because a list under its heading
//! reads differently from one apart from it. Reading Markdown is `parse`, writing is `flow` and `matrix`.

/// A whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    pub(super) blocks: Vec<Block>,
}

/// A block and the room before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) gap: Gap,
    pub(super) kind: Kind,
}

/// What stands between a block and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// It begins on the next line.
    Line,
    /// A blank line is between them.
    Blank,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Paragraph(Vec<Inline>),
    Heading {
        level: usize,
        words: Vec<Inline>,
    },
    Code {
        language: String,
        text: String,
    },
    Quote(Vec<Block>),
    List {
        first: Option<u64>,
        items: Vec<Item>,
    },
    Table {
        head: Row,
        rows: Vec<Row>,
    },
    Rule,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) gap: Gap,
    pub(super) blocks: Vec<Block>,
}

/// The cells of a table's row.
pub(super) type Row = Vec<Vec<Inline>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Inline {
    Text(String),
    /// A line break, as the author wrote it.
    Break,
    Code(String),
    Styled(Style, Vec<Inline>),
    /// A link, or a picture with its description.
    Link {
        url: String,
        words: Vec<Inline>,
    },
}

/// How words stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// Strong emphasis.
    Bold,
    /// Emphasis.
    Italic,
    /// Struck through.
    Strike,
    /// Hidden until somebody asks for it.
    Spoiler,
    /// Letters of equal width.
    Mono,
}
