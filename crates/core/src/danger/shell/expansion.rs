//! What a shell puts into a word: `$(…)`, back-quotes, `<(…)`, `${…}`, arithmetic.
//!
//! The scripts inside are read and kept with the word; their output is not known and leaves no text.
//! Variables stay as they are written.

use super::{Closer, Reader, Script, Trouble, Word, read};

impl Reader {
    /// Reads what stands behind a dollar sign.
    pub(super) fn dollar(&mut self, word: &mut Word) -> Result<(), Trouble> {
        if self.sees("((")
            && let Some(inside) = self.arithmetic(self.at + 2)?
        {
            word.inner.extend(inside.inner);
            return Ok(());
        }
        if self.takes("(") {
            return self.substitution(word);
        }
        word.text.push('$');
        if self.takes("{") {
            word.text.push('{');
            return self.deeper(|reader| reader.variable(word));
        }
        Ok(())
    }

    /// Reads a script up to its bracket.
    pub(super) fn substitution(&mut self, word: &mut Word) -> Result<(), Trouble> {
        let script = self.deeper(|reader| reader.list(Closer::Bracket))?;
        word.inner.push(script);
        Ok(())
    }

    /// `${name…}`, up to its brace. What stands in for an empty variable may run commands.
    fn variable(&mut self, word: &mut Word) -> Result<(), Trouble> {
        loop {
            match self.peek().ok_or(Trouble::Unclosed)? {
                '}' => {
                    self.at += 1;
                    word.text.push('}');
                    return Ok(());
                }
                '"' => {
                    self.at += 1;
                    self.double(word)?;
                }
                _ => self.quoted(word)?,
            }
        }
    }

    /// Reads `((…))` whose inside begins there, if it is arithmetic: the brackets must close together.
    pub(super) fn arithmetic(&mut self, inside: usize) -> Result<Option<Word>, Trouble> {
        let Some(end) = self.closing(inside) else {
            return Ok(None);
        };
        let text = self.chars.get(inside..end).unwrap_or_default().to_vec();
        self.at = end + 2;
        quoted(text, self.depth + 1).map(Some)
    }

    fn closing(&self, inside: usize) -> Option<usize> {
        let mut open = 2;
        for (at, char) in self.chars.iter().enumerate().skip(inside) {
            match char {
                '(' => open += 1,
                ')' => open -= 1,
                _ => (),
            }
            if open == 1 {
                return (self.chars.get(at + 1) == Some(&')')).then_some(at);
            }
        }
        None
    }

    /// Reads a script in back-quotes, where a backslash protects a back-quote, a dollar or itself.
    pub(super) fn back_quotes(&mut self, word: &mut Word) -> Result<(), Trouble> {
        let mut text = String::new();
        loop {
            match self.next().ok_or(Trouble::Unclosed)? {
                '`' => break,
                '\\' if matches!(self.peek(), Some('`' | '$' | '\\')) => text.extend(self.next()),
                char => text.push(char),
            }
        }
        let script: Script = read(&text, self.depth + 1)?;
        word.inner.push(script);
        Ok(())
    }
}

/// Reads a text as if it stood in double quotes, to its end.
pub(super) fn quoted(text: Vec<char>, depth: usize) -> Result<Word, Trouble> {
    let mut reader = Reader::new(text, depth)?;
    let mut word = Word::default();
    while reader.peek().is_some() {
        reader.quoted(&mut word)?;
    }
    Ok(word)
}
