//! What was answered, and what it means for the file.

use std::path::{Path, PathBuf};

use angelia_agents::model::provider::{Place, Secret, Url};
use angelia_agents::model::wire::Wire;

use crate::config::edit::Change;
use crate::config::secret::Source;

/// What a typed key is kept in, beside the configuration.
pub(crate) const KEY_FILE: &str = "model-key";

/// Who shall answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answers {
    /// The demo agent.
    Demo,
    /// A model.
    Model(Model),
    /// A program.
    Program(Program),
}

/// A model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Model {
    /// How its server speaks.
    pub(crate) wire: Wire,
    /// Where its server is.
    pub(crate) base_url: Url,
    /// Its name there.
    pub(crate) model: String,
    /// What opens the door.
    pub(crate) key: Key,
}

/// A program that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// How it is spoken to: the name of the backend.
    pub(crate) backend: String,
    /// The program and its words; never none.
    pub(crate) command: Vec<String>,
}

/// What opens the door of a server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// Nothing is needed.
    None,
    /// What is in this variable.
    Variable(String),
    /// What is in this file.
    File(PathBuf),
    /// This, which was typed and will be kept in a file of its own.
    Typed(String),
}

impl std::fmt::Debug for Key {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::None => "None",
            Self::Variable(_) => "Variable",
            Self::File(_) => "File",
            Self::Typed(_) => "Typed",
        })
    }
}

impl Key {
    /// The word itself, to try it.
    ///
    /// # Errors
    /// Why it cannot be read now.
    pub(crate) async fn reveal(&self, folder: &Path) -> Result<Option<Secret>, String> {
        let source = match self {
            Self::None => return Ok(None),
            Self::Variable(name) => Source::Variable(name.clone()),
            Self::File(path) => Source::File(path.clone()),
            Self::Typed(word) => Source::Literal(word.clone()),
        };
        let word = source.reveal(folder).await;
        word.map(|word| Some(Secret::new(word)))
            .map_err(|why| format!("the key {why}"))
    }

    fn change(&self) -> Change {
        let entry =
            |name: &str, word: &str| Change::Set(format!("{{ {name} = {} }}", quoted(word)));
        match self {
            Self::None => Change::Silence,
            Self::Variable(name) => entry("env", name),
            Self::File(path) => entry("file", &path.display().to_string()),
            Self::Typed(_) => entry("file", KEY_FILE),
        }
    }
}

impl Model {
    /// Where it is, to try it.
    pub(crate) fn place(&self, api_key: Option<Secret>) -> Place {
        Place {
            wire: self.wire,
            base_url: self.base_url.clone(),
            model: self.model.clone(),
            api_key,
            answer_tokens: None,
            request: serde_json::Map::new(),
        }
    }
}

impl Answers {
    /// What becomes of the keys of `[agent]`.
    pub(crate) fn changes(&self) -> Vec<(&'static str, Change)> {
        let set = |word: &str| Change::Set(quoted(word));
        let (backend, model, program) = match self {
            Self::Demo => ("demo", None, None),
            Self::Model(model) => (model.wire.name(), Some(model), None),
            Self::Program(program) => (program.backend.as_str(), None, Some(program)),
        };
        let of_model = |change: fn(&Model) -> Change| model.map_or(Change::Silence, change);
        vec![
            ("backend", set(backend)),
            (
                "base_url",
                of_model(|model| {
                    Change::Set(quoted(model.base_url.as_str().trim_end_matches('/')))
                }),
            ),
            ("model", of_model(|model| Change::Set(quoted(&model.model)))),
            ("api_key", of_model(|model| model.key.change())),
            (
                "command",
                program.map_or(Change::Silence, |program| {
                    Change::Set(listed(&program.command))
                }),
            ),
        ]
    }
}

fn quoted(word: &str) -> String {
    toml::Value::from(word).to_string()
}

fn listed(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}

/// The words of a line as a shell would part them: by spaces, unless quotes hold them together.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (Some(_) | None, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
