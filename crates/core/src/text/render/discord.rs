//! Discord: Markdown of its own kind, without tables, with three levels of headings.
//!
//! A character is escaped only where it would mean something, because people see the back-slash when
//! they copy; in an address never, because it would lead elsewhere.

use super::document::Style;
use super::tongue::{Before, Inside, Letter, Quote, Styles, Tongue, apart};

pub(super) const MARKDOWN: Tongue = Tongue {
    style: marks,
    block: |language| (format!("```{language}\n"), "\n```".to_owned()),
    link: |url| Some(("[".to_owned(), format!("]({})", address(url)))),
    quote: Quote::Lines("> "),
    heading: |level| ["# ", "## ", "### "].get(level.wrapping_sub(1)).copied(),
    bullet: "- ",
    dot: ". ",
    escape: escape_letter,
    styles: Styles::Marks,
};

fn marks(style: Style) -> Option<(&'static str, &'static str)> {
    Some(match style {
        Style::Bold => ("**", "**"),
        Style::Italic => ("*", "*"),
        Style::Strike => ("~~", "~~"),
        Style::Spoiler => ("||", "||"),
        Style::Mono => ("`", "`"),
    })
}

fn escape_letter(letter: &Letter<'_>, out: &mut String) {
    match letter.inside {
        Inside::Address => out.push_str(letter.text),
        Inside::Code => apart(letter, out),
        Inside::Text => {
            if is_special(letter) {
                out.push('\\');
            }
            out.push_str(letter.text);
        }
    }
}

fn is_special(letter: &Letter<'_>) -> bool {
    let doubled = |mark: char| letter.before == Before::Char(mark) || letter.rest.starts_with(mark);
    let begins_line = |mark: char| {
        letter.before == Before::Line && letter.rest.trim_start_matches(mark).starts_with(' ')
    };
    match letter.text {
        "\\" => letter
            .rest
            .starts_with(|next: char| next.is_ascii_punctuation()),
        "`" => true,
        "*" => !stands_alone(letter),
        "_" => !is_in_word(letter) && !stands_alone(letter),
        "~" => doubled('~'),
        "|" => doubled('|'),
        "#" => begins_line('#'),
        ">" => begins_line('>'),
        "-" => begins_line('-'),
        _ => false,
    }
}

/// Between blanks, where no mark can open or close anything.
fn stands_alone(letter: &Letter<'_>) -> bool {
    !matches!(letter.before, Before::Char(_)) && (letter.rest.is_empty() || letter.rest == " ")
}

fn is_in_word(letter: &Letter<'_>) -> bool {
    let before = matches!(letter.before, Before::Char(char) if char.is_alphanumeric());
    before && letter.rest.starts_with(char::is_alphanumeric)
}

/// An address between round brackets, which may stand in it if they match.
fn address(url: &str) -> String {
    let mut depth = 0_i32;
    let matched = url.chars().all(|char| {
        depth += i32::from(char == '(') - i32::from(char == ')');
        depth >= 0
    });
    if matched && depth == 0 {
        url.to_owned()
    } else {
        url.replace('(', "%28").replace(')', "%29")
    }
}
