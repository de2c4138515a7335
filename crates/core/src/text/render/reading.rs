//! Reads a platform's writing back by the platform's own rules, and refuses what it would refuse.
//!
//! It is written apart from the writers, so that the two check each other: [`markdown_v2`] after
//! Telegram's description of escapes and entities, [`html`] for balanced tags and named characters.

/// What people see, and the entities in it with their words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) entities: Vec<(String, String)>,
}

struct Open {
    name: &'static str,
    start: usize,
    language: String,
}

impl Shown {
    fn close(&mut self, open: &Open, more: &str) {
        let words = self.text[open.start..].to_owned();
        let name = format!("{}{}{more}", open.name, open.language);
        if !words.is_empty() {
            self.entities.push((name, words));
        }
    }
}

/// Reads a message in `MarkdownV2`.
pub(super) fn markdown_v2(text: &str) -> Result<Shown, String> {
    let chars: Vec<char> = text.chars().collect();
    let mut shown = Shown::default();
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        at = next(&chars, at, &mut shown, &mut open)?;
    }
    while let Some(last) = open.pop() {
        if last.name != "quote" {
            return Err(format!("can't find the end of {}", last.name));
        }
        shown.close(&last, "");
    }
    Ok(shown)
}

fn starts(chars: &[char], at: usize, mark: &str) -> bool {
    let mark: Vec<char> = mark.chars().collect();
    chars[at..].starts_with(&mark)
}

fn next(
    chars: &[char],
    at: usize,
    shown: &mut Shown,
    open: &mut Vec<Open>,
) -> Result<usize, String> {
    let char = chars[at];
    let top = open.last().map_or("", |last| last.name);
    if char == '\\' && chars.get(at + 1).is_some_and(char::is_ascii) {
        shown.text.push(chars[at + 1]);
        return Ok(at + 2);
    }
    if char == '\n' {
        return line(chars, at, shown, open);
    }
    let in_code = matches!(top, "code" | "pre");
    let reserved = if in_code { "`" } else { "_*[]()~`>#+-=|{}.!" };
    if !reserved.contains(char) {
        shown.text.push(char);
        return Ok(at + 1);
    }
    if let Some(len) = ends(chars, at, top) {
        let last = open.pop().expect("an entity that ends is open");
        return end(chars, at + len, shown, &last);
    }
    if in_code {
        return Err(format!("a back-tick in {top}"));
    }
    begin(chars, at, shown, open)
}

fn line(
    chars: &[char],
    at: usize,
    shown: &mut Shown,
    open: &mut Vec<Open>,
) -> Result<usize, String> {
    let quoted = open.iter().any(|it| it.name == "quote");
    let in_code = open
        .last()
        .is_some_and(|it| matches!(it.name, "code" | "pre"));
    shown.text.push('\n');
    if !quoted || in_code {
        return Ok(at + 1);
    }
    if chars.get(at + 1) == Some(&'>') {
        return Ok(at + 2);
    }
    match open.pop() {
        Some(last) if last.name == "quote" => shown.close(&last, ""),
        _ => return Err("a quote ends inside of another entity".to_owned()),
    }
    Ok(at + 1)
}

/// How long the mark is that ends the innermost entity here.
fn ends(chars: &[char], at: usize, top: &str) -> Option<usize> {
    let (mark, not) = match top {
        "bold" => ("*", ""),
        "italic" => ("_", "__"),
        "underline" => ("__", ""),
        "strike" => ("~", ""),
        "spoiler" => ("||", ""),
        "code" => ("`", ""),
        "pre" => ("```", ""),
        "link" => ("]", ""),
        _ => return None,
    };
    let ends = starts(chars, at, mark) && (not.is_empty() || !starts(chars, at, not));
    ends.then_some(mark.len())
}

fn end(chars: &[char], at: usize, shown: &mut Shown, last: &Open) -> Result<usize, String> {
    if last.name != "link" {
        shown.close(last, "");
        return Ok(at);
    }
    if chars.get(at) != Some(&'(') {
        return Err("a link without an address".to_owned());
    }
    let mut url = String::new();
    let mut at = at + 1;
    loop {
        match chars.get(at) {
            None => return Err("an address without an end".to_owned()),
            Some(')') => break,
            Some('\\') if chars.get(at + 1).is_some_and(char::is_ascii) => {
                url.push(chars[at + 1]);
                at += 2;
            }
            Some(char) => {
                url.push(*char);
                at += 1;
            }
        }
    }
    shown.close(last, &format!(" {url}"));
    Ok(at + 1)
}

fn begin(
    chars: &[char],
    at: usize,
    shown: &mut Shown,
    open: &mut Vec<Open>,
) -> Result<usize, String> {
    let line_start = at == 0 || chars[at - 1] == '\n';
    let (name, len) = match chars[at] {
        '_' if starts(chars, at, "__") => ("underline", 2),
        '_' => ("italic", 1),
        '*' => ("bold", 1),
        '~' => ("strike", 1),
        '|' if starts(chars, at, "||") => ("spoiler", 2),
        '[' => ("link", 1),
        '`' if starts(chars, at, "```") => ("pre", 3),
        '`' => ("code", 1),
        '>' if line_start => ("quote", 1),
        other => return Err(format!("{other:?} is reserved and must be escaped")),
    };
    if open.iter().any(|it| it.name == name) {
        return Err(format!("{name} inside of {name}"));
    }
    let (language, at) = match name {
        "pre" => language(chars, at + len),
        _ => (String::new(), at + len),
    };
    let start = shown.text.len();
    open.push(Open {
        name,
        start,
        language,
    });
    Ok(at)
}

/// The word behind three back-ticks, if nothing else is on that line.
fn language(chars: &[char], at: usize) -> (String, usize) {
    let word: String = chars[at..]
        .iter()
        .take_while(|char| !char.is_whitespace() && **char != '`')
        .collect();
    let end = at + word.chars().count();
    match chars.get(end) {
        Some('\n') if word.is_empty() => (String::new(), end + 1),
        Some('\n') => (format!(" {word}"), end + 1),
        _ => (String::new(), at),
    }
}

/// Reads a message in HTML.
pub(super) fn html(text: &str) -> Result<Shown, String> {
    let mut shown = Shown::default();
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        rest = match char {
            '<' => tag(rest, &mut shown, &mut open)?,
            '&' => named(rest, &mut shown)?,
            '>' => return Err("a bare >".to_owned()),
            other => {
                shown.text.push(other);
                &rest[other.len_utf8()..]
            }
        };
    }
    match open.pop() {
        Some((name, _)) => Err(format!("<{name}> is not closed")),
        None => Ok(shown),
    }
}

fn tag<'t>(
    rest: &'t str,
    shown: &mut Shown,
    open: &mut Vec<(String, usize)>,
) -> Result<&'t str, String> {
    let (tag, after) = rest[1..].split_once('>').ok_or("a tag without an end")?;
    if let Some(name) = tag.strip_prefix('/') {
        let (last, start) = open.pop().ok_or("nothing to close")?;
        if last.split(' ').next() != Some(name) {
            return Err(format!("</{name}> closes <{last}>"));
        }
        shown.entities.push((last, shown.text[start..].to_owned()));
    } else {
        open.push((tag.to_owned(), shown.text.len()));
    }
    Ok(after)
}

fn named<'t>(rest: &'t str, shown: &mut Shown) -> Result<&'t str, String> {
    let names = [
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
    ];
    for (name, char) in names {
        if let Some(after) = rest.strip_prefix(name) {
            shown.text.push(char);
            return Ok(after);
        }
    }
    Err("a bare &".to_owned())
}
