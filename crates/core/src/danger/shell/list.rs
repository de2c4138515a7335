//! Lists: pipelines one after another, and the stages they consist of.

use super::{Closer, Ends, Group, Pipeline, Reader, Script, Simple, Stage, Trouble, Word, braces};

/// What stands behind a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// It feeds the next one.
    Pipe,
    /// The pipeline is over.
    Over(Ends),
    /// The list is over.
    Closed,
}

/// What was found where a command can begin.
enum Begun {
    Stage(Stage),
    /// Nothing: an operator stands here.
    Nothing,
    /// The keyword that ends the list.
    Closed,
}

impl Reader {
    /// Reads pipelines until the list is closed. A list that is never closed ends with the text.
    pub(super) fn list(&mut self, closer: Closer) -> Result<Script, Trouble> {
        let mut script = Script::default();
        let mut stages = Vec::new();
        loop {
            let joint = match self.begin(closer)? {
                Begun::Stage(stage) => {
                    stages.push(stage);
                    self.joint(closer)?
                }
                Begun::Nothing => self.joint(closer)?,
                Begun::Closed => Joint::Closed,
            };
            if joint == Joint::Pipe {
                continue;
            }
            let ends = if let Joint::Over(ends) = joint {
                ends
            } else {
                Ends::Waited
            };
            if !stages.is_empty() {
                let stages = std::mem::take(&mut stages);
                script.pipelines.push(Pipeline { stages, ends });
            }
            if joint == Joint::Closed {
                return Ok(script);
            }
        }
    }

    /// Reads what stands between two stages. What a shell would not expect there ends the pipeline.
    fn joint(&mut self, closer: Closer) -> Result<Joint, Trouble> {
        self.skip_blanks();
        let Some(char) = self.peek() else {
            return Ok(Joint::Closed);
        };
        if closer == Closer::Arm && self.takes(";;") {
            return Ok(Joint::Closed);
        }
        match char {
            ')' => {
                self.at += 1;
                let closes = closer == Closer::Bracket;
                return Ok(if closes {
                    Joint::Closed
                } else {
                    Joint::Over(Ends::Waited)
                });
            }
            '\n' => {
                self.at += 1;
                self.here_documents()?;
            }
            '|' if !self.sees("||") => {
                self.at += 1;
                self.takes("&");
                return Ok(Joint::Pipe);
            }
            '&' if !self.sees("&&") => {
                self.at += 1;
                return Ok(Joint::Over(Ends::Background));
            }
            '&' => {
                self.at += 2;
                return Ok(Joint::Over(Ends::Needed));
            }
            '|' => self.at += 2,
            ';' => self.at += 1,
            _ => (),
        }
        Ok(Joint::Over(Ends::Waited))
    }

    fn begin(&mut self, closer: Closer) -> Result<Begun, Trouble> {
        self.skip_blanks();
        if self.sees("((")
            && let Some(word) = self.arithmetic(self.at + 2)?
        {
            let assigned = vec![word];
            return Ok(Begun::Stage(Stage::Simple(Simple {
                assigned,
                ..Simple::default()
            })));
        }
        if self.takes("(") {
            let body = self.deeper(|reader| reader.list(Closer::Bracket))?;
            return Ok(Begun::Stage(self.group(None, body)?));
        }
        let mut simple = Simple::default();
        while !self.is_over() {
            if self.redirect(&mut simple.redirects)? {
                continue;
            }
            let Some(word) = self.word()? else { break };
            let first = simple.words.is_empty();
            if first && closes(closer, &word) {
                return Ok(Begun::Closed);
            }
            if first && word.bare {
                match self.keyword(&word)? {
                    Keyword::Stage(stage) => return Ok(Begun::Stage(stage)),
                    Keyword::Skipped => continue,
                    Keyword::None => (),
                }
            }
            self.put(&mut simple, word)?;
        }
        Ok(if is_nothing(&simple) {
            Begun::Nothing
        } else {
            Begun::Stage(Stage::Simple(simple))
        })
    }

    /// Puts a word where it belongs: before the program it may be an assignment.
    fn put(&mut self, simple: &mut Simple, mut word: Word) -> Result<(), Trouble> {
        if !simple.words.is_empty() {
            simple.words.extend(braces::arguments(word));
        } else if is_assignment(&word.text) {
            if self.peek() == Some('(') && word.text.ends_with('=') {
                self.at += 1;
                word.inner
                    .push(self.deeper(|reader| reader.list(Closer::Bracket))?);
            }
            simple.assigned.push(word);
        } else {
            simple.words.extend(braces::program(word));
        }
        Ok(())
    }

    /// A group, with what stands right behind it.
    pub(super) fn group(&mut self, name: Option<String>, body: Script) -> Result<Stage, Trouble> {
        let mut redirects = Vec::new();
        self.skip_blanks();
        while self.redirect(&mut redirects)? {
            self.skip_blanks();
        }
        Ok(Stage::Group(Group {
            name,
            body,
            redirects,
        }))
    }

    /// Whether the simple command that is being read ends here.
    fn is_over(&mut self) -> bool {
        self.skip_blanks();
        match self.peek() {
            None | Some('\n' | ';' | '|' | '(' | ')') => true,
            Some('&') => !self.sees("&>"),
            Some(_) => false,
        }
    }
}

/// What a bare first word turned out to be.
pub(super) enum Keyword {
    Stage(Stage),
    /// A keyword before a command.
    Skipped,
    None,
}

fn closes(closer: Closer, word: &Word) -> bool {
    let keyword = match closer {
        Closer::Keyword(keyword) => keyword,
        Closer::Arm => "esac",
        Closer::End | Closer::Bracket => return false,
    };
    word.bare && word.text == keyword
}

fn is_nothing(simple: &Simple) -> bool {
    simple.words.is_empty() && simple.assigned.is_empty() && simple.redirects.is_empty()
}

/// Whether a word before the program sets a variable: `A=b`, `A+=b`, `A[0]=b`.
pub(in crate::danger) fn is_assignment(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split('[').next().unwrap_or_default();
    let letter = |char: char| char.is_ascii_alphanumeric() || char == '_';
    name.starts_with(|char: char| letter(char) && !char.is_ascii_digit())
        && name.chars().all(letter)
}
