//! SQL of the verbs in PostgreSQL's words.
//!
//! The verbs are written in what both engines read. Few words differ, and all of them stand here: places of
//! values (`?1`), the larger of two (`max` with two values), what stands in JSON, and comparing without
//! regard to case. It is done once for each statement and connection.
//!
//! What a statement holds stands in it as a remark, which SQLite passes over because there one verb writes at a
//! time: `/* hold */` keeps others from changing the rows that were found, `/* keep */` lets others do the
//! same but not change them, `/* take */` leaves rows out that somebody holds. Names after the word
//! say of which tables. Whoever only reads holds nothing.

/// Whether remarks about what is held count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remarks {
    Count,
    PassedOver,
}

/// The statement as PostgreSQL reads it.
pub(super) fn statement(sql: &str, remarks: Remarks) -> String {
    let said = translated(sql);
    match remarks {
        Remarks::Count => held(&said),
        Remarks::PassedOver => said,
    }
}

/// The statement with its mistake: whoever was overtaken is taken for the owner. Only for a test of that.
pub(super) fn unfenced(sql: &str) -> String {
    sql.replace("AND fence = $", "AND fence >= $")
        .replace("AND l.fence = $", "AND l.fence >= $")
}

/// The remarks as clauses.
fn held(sql: &str) -> String {
    let Some((before, remark, after)) = remark(sql) else {
        return sql.to_owned();
    };
    let (word, tables) = remark.split_once(' ').unwrap_or((remark, ""));
    let (strength, wait) = match word {
        "hold" => ("NO KEY UPDATE", ""),
        "keep" => ("SHARE", ""),
        "take" => ("NO KEY UPDATE", " SKIP LOCKED"),
        _ => return sql.to_owned(),
    };
    let of = if tables.is_empty() { "" } else { " OF " };
    format!("{before}FOR {strength}{of}{tables}{wait}{}", held(after))
}

fn remark(sql: &str) -> Option<(&str, &str, &str)> {
    let (before, opened) = sql.split_once("/* ")?;
    let (remark, after) = opened.split_once(" */")?;
    Some((before, remark, after))
}

fn translated(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len() + 16);
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        if let Some((name, inner, after)) = call(rest) {
            out.push_str(&called(name, inner));
            rest = after;
        } else if let Some(after) = rest.strip_prefix(" LIKE ") {
            out.push_str(" ILIKE ");
            rest = after;
        } else {
            // A word is taken whole, so that a name that ends like a function is none.
            let end = if is_word(first) {
                word_end(rest)
            } else {
                first.len_utf8()
            };
            out.push_str(&rest[..end].replace('?', "$"));
            rest = &rest[end..];
        }
    }
    for (theirs, ours) in WHOLE {
        out = out.replace(theirs, ours);
    }
    out
}

/// What is said otherwise as a whole. SQLite reads a row faster if what most rows have in common comes as a
/// number; here all values of a column are of one kind.
const WHOLE: [(&str, &str); 1] = [(
    "CASE role WHEN 'user' THEN 0 WHEN 'assistant' THEN 1 ELSE role END",
    "role",
)];

/// The functions that have another name.
const FUNCTIONS: [&str; 3] = ["max", "json_extract", "json_each"];

/// A call of one of those at the beginning of the text: its name, what is in its brackets, and what follows.
fn call(text: &str) -> Option<(&'static str, &str, &str)> {
    let name = FUNCTIONS.into_iter().find(|name| {
        let after = text.strip_prefix(name);
        after.is_some_and(|after| after.starts_with('('))
    })?;
    let opened = &text[name.len() + 1..];
    let end = closing(opened)?;
    Some((name, &opened[..end], &opened[end + 1..]))
}

fn called(name: &str, inner: &str) -> String {
    let values: Vec<String> = split(inner).into_iter().map(translated).collect();
    match (name, values.as_slice()) {
        ("max", [_, _]) => format!("greatest({})", values.join(", ")),
        ("json_extract", [body, path]) => {
            let path = path.trim().trim_matches('\'').trim_start_matches('$');
            let names = path.replace('[', ".").replace(']', "");
            let names = names.trim_start_matches('.').replace('.', ",");
            // A text that is taken out of JSON cannot hold the character zero there.
            format!(r"(CAST(replace({body}, '\u0000', '\ufffd') AS json) #>> '{{{names}}}')")
        }
        ("json_each", [list]) => format!("json_array_elements_text(CAST({list} AS json))"),
        _ => format!("{name}({})", values.join(", ")),
    }
}

/// Where the bracket closes that was opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(place, char)| {
        match char {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(place),
            ')' => depth -= 1,
            _ => (),
        }
        None
    })
}

/// The values between the commas that are in no brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut values) = (0, 0, Vec::new());
    for (place, char) in text.char_indices() {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                values.push(text[start..place].trim());
                start = place + 1;
            }
            _ => (),
        }
    }
    values.push(text[start..].trim());
    values
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn word_end(text: &str) -> usize {
    text.find(|char| !is_word(char)).unwrap_or(text.len())
}

#[cfg(test)]
#[path = "dialect_tests.rs"]
mod tests;
