//! "Did you mean …?": the known name nearest to what was written, if one is near enough.
//!
//! For whatever people type: keys of the configuration, commands in chat. It does not say that a name is
//! wrong; the caller knows.

/// The nearest of `known`, unless even that is too far to be a slip of the finger.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let measured = known
        .into_iter()
        .map(|name| (distance(written, name), name));
    let (apart, name) = measured.min()?;
    (apart <= slips(written.chars().count().max(name.chars().count()))).then_some(name)
}

/// How many slips a name of this length may hold: one in three letters.
fn slips(letters: usize) -> usize {
    (letters / 3).max(1)
}

/// How many letters must be put in, left out, changed or swapped with their neighbour.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for row in 1..=from.len() {
        let mut current = vec![row];
        for column in 1..=to.len() {
            let changed = last[column - 1] + usize::from(from[row - 1] != to[column - 1]);
            let mut least = changed.min(last[column] + 1).min(current[column - 1] + 1);
            if is_swap(&from[..row], &to[..column]) {
                least = least.min(before_last[column - 2] + 1);
            }
            current.push(least);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[to.len()]
}

/// Whether the last two letters of both are the same two, the other way round.
fn is_swap(from: &[char], to: &[char]) -> bool {
    match (from, to) {
        ([.., a, b], [.., c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
#[path = "nearest_tests.rs"]
mod tests;
