//! The operator's own rules: patterns of commands that are refused or may run.
//!
//! `*` is any text, `?` one character, `[a-z]` one of these and `[!a-z]` one of the others; the case of
//! letters does not matter. A deny rule is tried on the whole command and on every single command that
//! was read in it, so neither a prefix nor a wrapper leads around it. An allow rule must be the command
//! itself, or match one without operators: `make *` does not allow `make x; rm y`.

use super::plain::plain;

/// What joins commands or makes new ones.
const OPERATORS: &[char] = &[
    ';', '&', '|', '<', '>', '(', ')', '{', '}', '$', '`', '\n', '\r',
];

/// The first rule that a command, or one of those it consists of, is refused by.
pub(super) fn denied(rules: &[String], command: &str, said: &[String]) -> Option<String> {
    let whole = plain(command);
    let matched = |rule: &&String| {
        let mut texts = said.iter().map(String::as_str).chain([command, &whole]);
        texts.any(|text| matches(rule, text))
    };
    rules.iter().find(matched).cloned()
}

/// Whether a rule allows a command.
pub(super) fn allowed(rules: &[String], command: &str) -> bool {
    let command = command.trim();
    let simple = !command.contains(OPERATORS);
    let allows = |rule: &String| rule.trim() == command || (simple && matches(rule, command));
    rules.iter().any(allows)
}

/// Whether a pattern matches a whole text.
fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.trim().to_lowercase().chars().collect();
    let text: Vec<char> = text.trim().to_lowercase().chars().collect();
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    // The last star alone takes more: what stands before it has matched as early as it could.
    while seen < text.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, seen));
            at += 1;
        } else if let Some(width) = one(&pattern[at..], text[seen]) {
            at += width;
            seen += 1;
        } else if let Some((back, taken)) = star {
            star = Some((back, taken + 1));
            (at, seen) = (back + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|char| *char == '*')
}

/// How much of the pattern stands for this one character, if it does.
fn one(pattern: &[char], char: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => set(pattern, char).unwrap_or_else(|| (char == '[').then_some(1)),
        plain => (*plain == char).then_some(1),
    }
}

/// Reads `[…]`: nothing if it does not close, else whether the character is in it.
fn set(pattern: &[char], char: char) -> Option<Option<usize>> {
    let negated = pattern.get(1) == Some(&'!');
    let begin = if negated { 2 } else { 1 };
    // A closing bracket right behind the opening one is a member.
    let end = (begin + 1..pattern.len()).find(|at| pattern[*at] == ']')?;
    let members = &pattern[begin..end];
    Some((contains(members, char) != negated).then_some(end + 1))
}

fn contains(members: &[char], char: char) -> bool {
    let mut at = 0;
    while at < members.len() {
        let range = members.get(at + 1) == Some(&'-') && at + 2 < members.len();
        let last = if range { members[at + 2] } else { members[at] };
        if (members[at]..=last).contains(&char) {
            return true;
        }
        at += if range { 3 } else { 1 };
    }
    false
}

#[cfg(test)]
#[path = "rule_tests.rs"]
mod tests;
