//! Statements that destroy data, wherever a program is given them.
//!
//! There is no grammar to help: a statement is any text. It counts when it is given to a program that
//! may run it, or piped into a database's client; programs that only show their arguments are left out.

use super::only_talks;
use super::remote::stage_calls;
use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::shell::{Pipeline, Redirect};

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    if !only_talks(program) && program != "git" {
        texts(call).for_each(|text| statements(&text, found));
    }
}

/// Notes statements that are said to a database's client.
pub(super) fn pipeline(line: &Pipeline, found: &mut Findings) {
    let mut said: Vec<Call<'_>> = Vec::new();
    for stage in &line.stages {
        let calls = stage_calls(stage);
        if calls.iter().any(|call| is_client(&call.program())) {
            said.drain(..)
                .flat_map(|call| texts(&call).collect::<Vec<_>>())
                .for_each(|text| statements(&text, found));
        }
        said.extend(calls.into_iter().filter(|call| only_talks(&call.program())));
    }
}

fn is_client(program: &str) -> bool {
    let known = [
        "psql",
        "mysql",
        "mariadb",
        "sqlite3",
        "sqlite",
        "sqlcmd",
        "duckdb",
        "clickhouse-client",
        "cockroach",
    ];
    known.contains(&program)
}

/// The whole command on one line, each argument by itself, and the texts written into it.
fn texts(call: &Call<'_>) -> impl Iterator<Item = String> {
    let here = call
        .simple
        .redirects
        .iter()
        .filter_map(|redirect| match redirect {
            Redirect::Text(cell) => cell.get().map(|word| word.text.clone()),
            Redirect::From(_) | Redirect::To(_) => None,
        });
    let here: Vec<String> = here.collect();
    std::iter::once(call.line()).chain(here)
}

fn statements(text: &str, found: &mut Findings) {
    let lowered = text.to_lowercase();
    for statement in lowered.split(';') {
        let words: Vec<&str> = statement.split_whitespace().map(trimmed).collect();
        for at in 0..words.len() {
            let found_here = statement_at(&words[at..]).or_else(|| truncates(&words, at));
            if let Some(category) = found_here {
                found.ask(category);
            }
        }
    }
}

fn statement_at(words: &[&str]) -> Option<Category> {
    match words {
        ["drop", "table" | "database" | "schema", ..] => Some(Category::SqlDrop),
        ["delete", "from", _, rest @ ..] if !rest.contains(&"where") => Some(Category::SqlDelete),
        ["truncate", "table", ..] => Some(Category::SqlTruncate),
        _ => None,
    }
}

/// `truncate name`, unless it is the program of that name, which empties files.
fn truncates(words: &[&str], at: usize) -> Option<Category> {
    let name = words
        .get(at + 1)
        .filter(|name| name.starts_with(|char: char| char.is_alphabetic()));
    (at > 0 && words[at] == "truncate" && name.is_some()).then_some(Category::SqlTruncate)
}

/// A word without the quotes and brackets of the language around it.
fn trimmed(word: &str) -> &str {
    word.trim_matches(|char: char| matches!(char, '"' | '\'' | '(' | ')' | '`' | ','))
}
