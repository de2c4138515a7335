//! Words: plain characters, quotes, escapes, and the blanks between them.

use super::{Reader, Trouble, Word};

impl Reader {
    /// Reads a word; nothing if none begins here.
    pub(super) fn word(&mut self) -> Result<Option<Word>, Trouble> {
        let start = self.at;
        let mut word = Word {
            bare: true,
            ..Word::default()
        };
        while let Some(char) = self.peek() {
            if self.is_blank_variable() || (ends_word(char) && !self.is_process()) {
                break;
            }
            self.part(char, &mut word)?;
        }
        Ok((self.at > start).then_some(word))
    }

    fn part(&mut self, char: char, word: &mut Word) -> Result<(), Trouble> {
        self.at += 1;
        match char {
            '\'' => self.single(word),
            '"' => self.double(word),
            '\\' => {
                self.escape(word);
                Ok(())
            }
            '`' => self.back_quotes(word),
            '$' if self.takes("'") => self.ansi(word),
            '$' if self.takes("\"") => self.double(word),
            '$' => self.dollar(word),
            '<' | '>' => {
                self.at += 1;
                self.substitution(word)
            }
            char => {
                word.text.push(char);
                Ok(())
            }
        }
    }

    /// Whether `<(` or `>(` stands here: a command whose output or input is taken for a file.
    pub(super) fn is_process(&self) -> bool {
        self.sees("<(") || self.sees(">(")
    }

    fn escape(&mut self, word: &mut Word) {
        match self.next() {
            Some('\n') | None => (),
            Some('\r') if self.takes("\n") => (),
            Some(char) => {
                word.bare = false;
                word.text.push(char);
            }
        }
    }

    fn single(&mut self, word: &mut Word) -> Result<(), Trouble> {
        word.bare = false;
        loop {
            match self.next().ok_or(Trouble::Unclosed)? {
                '\'' => return Ok(()),
                char => word.text.push(char),
            }
        }
    }

    pub(super) fn double(&mut self, word: &mut Word) -> Result<(), Trouble> {
        word.bare = false;
        while self.peek().ok_or(Trouble::Unclosed)? != '"' {
            self.quoted(word)?;
        }
        self.at += 1;
        Ok(())
    }

    /// Reads one piece of what stands between double quotes.
    pub(super) fn quoted(&mut self, word: &mut Word) -> Result<(), Trouble> {
        match self.next() {
            Some('\\') if self.takes("\n") => (),
            Some('\\') => match self.peek() {
                Some('$' | '`' | '"' | '\\') => word.text.extend(self.next()),
                _ => word.text.push('\\'),
            },
            Some('`') => self.back_quotes(word)?,
            Some('$') => self.dollar(word)?,
            Some(char) => word.text.push(char),
            None => (),
        }
        Ok(())
    }

    /// `$'…'`, with the escapes of C.
    fn ansi(&mut self, word: &mut Word) -> Result<(), Trouble> {
        word.bare = false;
        loop {
            match self.next().ok_or(Trouble::Unclosed)? {
                '\'' => return Ok(()),
                '\\' => {
                    let escaped = self.next().ok_or(Trouble::Unclosed)?;
                    word.text.extend(self.named_escape(escaped));
                }
                char => word.text.push(char),
            }
        }
    }

    fn named_escape(&mut self, escaped: char) -> Option<char> {
        let (radix, digits) = match escaped {
            'n' => return Some('\n'),
            't' => return Some('\t'),
            'r' => return Some('\r'),
            'x' => (16, 2),
            'u' => (16, 4),
            'U' => (16, 8),
            '0'..='7' => {
                self.at -= 1;
                (8, 3)
            }
            other => return Some(other),
        };
        let mut code = 0;
        for _ in 0..digits {
            let Some(digit) = self.peek().and_then(|char| char.to_digit(radix)) else {
                break;
            };
            self.at += 1;
            code = code * radix + digit;
        }
        char::from_u32(code)
    }

    /// Goes behind blanks, comments, joined lines and variables that are blanks.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.sees("\\\n") => self.at += 2,
                Some('\\') if self.sees("\\\r\n") => self.at += 3,
                Some('#') if self.begins_word() => self.skip_comment(),
                Some('$') if self.is_blank_variable() => self.skip_variable(),
                _ => return,
            }
        }
    }

    pub(super) fn skip_lines(&mut self) {
        self.skip_blanks();
        while self.takes("\n") {
            self.skip_blanks();
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|char| char != '\n') {
            self.at += 1;
        }
    }

    /// A comment begins where a word could, not within one.
    fn begins_word(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        before.is_none_or(|char| char.is_whitespace() || ends_word(*char))
    }

    /// Whether `$IFS` stands here, which the shell makes blanks of.
    pub(super) fn is_blank_variable(&self) -> bool {
        let behind = |text: &str| {
            let next = self.chars.get(self.at + text.len());
            next.is_none_or(|char| !char.is_alphanumeric() && *char != '_')
        };
        (self.sees("$IFS") && behind("$IFS")) || (self.sees("${IFS") && behind("${IFS"))
    }

    fn skip_variable(&mut self) {
        let braces = self.sees("${");
        self.at += 4;
        while braces && self.next().is_some_and(|char| char != '}') {}
    }
}

/// Whether an unquoted character ends a word.
fn ends_word(char: char) -> bool {
    matches!(
        char,
        ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>'
    )
}
