//! Compound commands: conditions, loops, choices, functions, groups in braces.
//!
//! Each becomes a group of all commands in it, because which of them run is not known before. The words
//! of a loop's head are kept as a command of its own, for the substitutions in them.

use super::list::Keyword;
use super::{Closer, Ends, Pipeline, Reader, Script, Simple, Stage, Trouble, Word};

impl Reader {
    /// Reads what a bare word at the place of a program begins.
    pub(super) fn keyword(&mut self, word: &Word) -> Result<Keyword, Trouble> {
        let closer = match word.text.as_str() {
            "if" => "fi",
            "while" | "until" => "done",
            "{" => "}",
            "for" | "select" => return self.head().map(Keyword::Stage),
            "case" => return self.choice().map(Keyword::Stage),
            "function" => return self.function().map(Keyword::Stage),
            "then" | "else" | "elif" | "do" | "!" | "coproc" => return Ok(Keyword::Skipped),
            name => return self.named(name),
        };
        let body = self.deeper(|reader| reader.list(Closer::Keyword(closer)))?;
        self.group(None, body).map(Keyword::Stage)
    }

    /// `name()` begins a function; any other word is a program.
    fn named(&mut self, name: &str) -> Result<Keyword, Trouble> {
        let start = self.at;
        self.skip_blanks();
        let called = self.takes("(");
        self.skip_blanks();
        if called && self.takes(")") {
            return self.body(name.to_owned()).map(Keyword::Stage);
        }
        self.at = start;
        Ok(Keyword::None)
    }

    fn function(&mut self) -> Result<Stage, Trouble> {
        self.skip_blanks();
        let name = self.word()?.unwrap_or_default().text;
        self.skip_blanks();
        if self.takes("(") {
            self.skip_blanks();
            self.takes(")");
        }
        self.body(name)
    }

    /// The body of a function: in braces or brackets; a single command is read as the next one.
    fn body(&mut self, name: String) -> Result<Stage, Trouble> {
        self.skip_lines();
        let closer = if self.takes("(") {
            Closer::Bracket
        } else if self.takes("{") {
            Closer::Keyword("}")
        } else {
            return self.group(Some(name), Script::default());
        };
        let body = self.deeper(|reader| reader.list(closer))?;
        self.group(Some(name), body)
    }

    /// `for x in a b; do …; done`
    fn head(&mut self) -> Result<Stage, Trouble> {
        self.skip_blanks();
        let mut words = Vec::new();
        if self.sees("((") {
            words.extend(self.arithmetic(self.at + 2)?);
        }
        self.skip_blanks();
        while !self.sees("do") || !self.is_do() {
            let Some(word) = self.word()? else { break };
            words.push(word);
            self.skip_blanks();
        }
        self.followed(words, Closer::Keyword("done"))
    }

    /// Whether the word here is the `do` that ends a head without a list.
    fn is_do(&self) -> bool {
        let behind = self.chars.get(self.at + 2);
        behind.is_none_or(|char| char.is_whitespace())
    }

    /// `case x in a) …;; b) …;; esac`
    fn choice(&mut self) -> Result<Stage, Trouble> {
        self.skip_blanks();
        let mut words = Vec::new();
        words.extend(self.word()?);
        self.skip_lines();
        self.word()?;
        let mut script = Script::default();
        while self.pattern(&mut words)? {
            let arm = self.deeper(|reader| reader.list(Closer::Arm))?;
            script.pipelines.extend(arm.pipelines);
            // The list ended with `;;`, or with `esac`, or with the text.
            if !self.ended_arm() {
                break;
            }
        }
        script.pipelines.push(said(words));
        self.group(None, script)
    }

    fn ended_arm(&self) -> bool {
        let before = self
            .at
            .checked_sub(2)
            .and_then(|from| self.chars.get(from..self.at));
        before == Some(&[';', ';'])
    }

    /// Goes behind the bracket of a pattern; there is none behind `esac`.
    fn pattern(&mut self, words: &mut Vec<Word>) -> Result<bool, Trouble> {
        self.takes("&");
        self.skip_lines();
        self.takes("(");
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(')') => {
                    self.at += 1;
                    return Ok(true);
                }
                Some('|') => self.at += 1,
                _ => match self.word()? {
                    Some(word) if word.bare && word.text == "esac" => return Ok(false),
                    Some(word) => words.push(word),
                    None => return Ok(false),
                },
            }
        }
    }

    fn followed(&mut self, words: Vec<Word>, closer: Closer) -> Result<Stage, Trouble> {
        let mut body = self.deeper(|reader| reader.list(closer))?;
        body.pipelines.push(said(words));
        self.group(None, body)
    }
}

/// Words that nothing is done with, but that may have scripts inside. The first stands for the keyword,
/// so that none of them is taken for a program.
fn said(words: Vec<Word>) -> Pipeline {
    let keyword = Word {
        text: "for".into(),
        ..Word::default()
    };
    let words = std::iter::once(keyword).chain(words).collect();
    let simple = Simple {
        words,
        ..Simple::default()
    };
    Pipeline {
        stages: vec![Stage::Simple(simple)],
        ends: Ends::Waited,
    }
}
