//! What stands where a secret stood.

/// Nothing of it.
pub(super) const HIDDEN: &str = "***";

/// How much of both ends is kept, and from which length on.
struct Shape {
    chars_min: usize,
    first: usize,
    last: usize,
}

/// What is shown of the beginning of a long secret.
pub(super) const FIRST: usize = 6;

/// And of its end.
pub(super) const LAST: usize = 4;

const LOG: Shape = Shape {
    chars_min: 18,
    first: FIRST,
    last: LAST,
};

const DISPLAY: Shape = Shape {
    chars_min: 12,
    first: 4,
    last: 4,
};

/// A secret in a text: six and four characters of a long one.
#[must_use]
pub fn log(value: &str) -> String {
    LOG.of(value)
}

/// A secret shown on purpose, such as in a list of settings: four and four characters, and nothing if
/// none is set.
#[must_use]
pub fn display(value: &str) -> String {
    match value {
        "" => String::new(),
        value => DISPLAY.of(value),
    }
}

impl Shape {
    fn of(&self, value: &str) -> String {
        // Both ends are looked for from their side, so that a long value costs no more than a short one.
        let is_short = value.chars().take(self.chars_min).count() < self.chars_min;
        let first = value.char_indices().nth(self.first);
        let last = value.char_indices().nth_back(self.last - 1);
        match (first, last) {
            (Some((first, _)), Some((last, _))) if !is_short => {
                format!("{}...{}", &value[..first], &value[last..])
            }
            _ => HIDDEN.to_owned(),
        }
    }
}
