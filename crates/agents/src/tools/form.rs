//! What a tool may be called with: one table, from which the schema is made and by which calls are read.
//!
//! Because both come from the table, every call that the schema allows is read. One that it does not allow is read as
//! another one that it does, if it can mean only that (`meant`). What is missing
//! for one action of many, and what a value is good for, is the tool's to say.
//!
//! Nothing stands for nothing: a `null` is an argument that was left out.

use angelia_core::limits;
use angelia_core::nearest::nearest;
use angelia_core::todo::Status;
use serde_json::{Map, Value, json};

/// What a tool takes.
#[derive(Debug)]
pub(crate) struct Form {
    /// The tool's name.
    pub(crate) name: &'static str,
    /// The tools that come and go together with it.
    pub(crate) family: &'static str,
    /// What it is for, in words for a model.
    pub(crate) about: &'static str,
    /// The arguments that no call may leave out.
    pub(crate) required: &'static [&'static str],
    /// All arguments.
    pub(crate) arguments: &'static [Argument],
}

/// One argument.
#[derive(Debug)]
pub(crate) struct Argument {
    /// Its name.
    pub(crate) name: &'static str,
    /// What may stand for it.
    pub(crate) kind: Kind,
    /// What it does, in words for a model.
    pub(crate) about: &'static str,
}

/// What may stand for an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Any text.
    Text,
    /// Any text, perhaps a password: nobody repeats what stood there.
    Typed,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A text, or a whole number that is read as one.
    Name,
    /// True or false.
    Flag,
    /// Any number.
    Number,
    /// A whole number, not less than this.
    Whole(i64),
    /// Texts, at most so many.
    Texts(usize),
    /// Tasks: what they are known by, what they are and how far.
    Tasks,
}

impl Form {
    /// The arguments as a JSON schema.
    pub(crate) fn schema(&self) -> Value {
        let named = self.arguments.iter().map(|argument| {
            let mut schema = argument.kind.schema();
            if !self.required.contains(&argument.name) {
                or_null(&mut schema);
            }
            schema["description"] = argument.about.into();
            (argument.name.to_owned(), schema)
        });
        json!({
            "type": "object",
            "properties": named.collect::<Map<_, _>>(),
            "required": self.required,
            "additionalProperties": false,
        })
    }

    /// Reads the arguments of a call; or says what is wrong with them.
    pub(crate) fn read(&self, arguments: Value) -> Result<Given, String> {
        let Value::Object(said) = arguments else {
            let tool = self.name;
            return Err(format!("the arguments of `{tool}` must be a JSON object"));
        };
        let mut given = Map::new();
        for (name, value) in said {
            if let Some(value) = self.one(&name, value)? {
                given.insert(name, value);
            }
        }
        let mut required = self.required.iter();
        match required.find(|name| !given.contains_key(**name)) {
            Some(missing) => Err(self.missing(missing)),
            None => Ok(Given(given)),
        }
    }

    /// The value of one argument; none if it was left out.
    fn one(&self, name: &str, said: Value) -> Result<Option<Value>, String> {
        let known = self.arguments.iter().find(|one| one.name == name);
        let argument = known.ok_or_else(|| self.unknown(name))?;
        let kind = argument.kind;
        if kind.allows(&said) {
            return Ok(Some(said));
        }
        let meant = kind.meant(said.clone());
        let is_left_out = meant.is_null() && !self.required.contains(&name);
        match is_left_out || kind.allows(&meant) {
            true => Ok(Some(meant).filter(|meant| !meant.is_null())),
            false => Err(argument.wrong(&said)),
        }
    }

    /// Whether what was given under this name may be shown and written down.
    pub(crate) fn repeats(&self, name: &str) -> bool {
        let known = self.arguments.iter().find(|one| one.name == name);
        known.is_some_and(|one| !matches!(one.kind, Kind::Typed))
    }

    fn missing(&self, name: &str) -> String {
        let required = self.arguments.iter().find(|one| one.name == name);
        let kind = required.map(|one| one.kind.words()).unwrap_or_default();
        format!("`{name}` is required: {kind}")
    }

    fn unknown(&self, name: &str) -> String {
        let shown: String = name.chars().take(64).collect();
        let names = || self.arguments.iter().map(|one| one.name);
        match nearest(&shown, names()) {
            Some(near) => {
                format!(
                    "`{}` has no argument `{shown}`; did you mean `{near}`?",
                    self.name
                )
            }
            None => format!(
                "`{}` has no argument `{shown}`; it takes {}",
                self.name,
                names().collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

impl Argument {
    fn wrong(&self, value: &Value) -> String {
        if matches!(self.kind, Kind::Typed) {
            return format!("`{}` must be {}", self.name, self.kind.words());
        }
        let shown: String = value.to_string().chars().take(64).collect();
        format!(
            "`{}` cannot be {shown}: it is {}",
            self.name,
            self.kind.words()
        )
    }
}

impl Kind {
    fn schema(self) -> Value {
        match self {
            Self::Text | Self::Typed => json!({ "type": "string" }),
            Self::Choice(words) => json!({ "type": "string", "enum": words }),
            Self::Name => json!({ "type": ["string", "integer"] }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Number => json!({ "type": "number" }),
            Self::Whole(i64::MIN) => json!({ "type": "integer" }),
            Self::Whole(least) => json!({ "type": "integer", "minimum": least }),
            Self::Texts(most) => {
                json!({ "type": "array", "items": { "type": "string" }, "maxItems": most })
            }
            Self::Tasks => json!({
                "type": "array",
                "maxItems": limits::TASKS_MAX,
                "items": {
                    "type": "object",
                    "properties": {
                        "id": { "type": "string" },
                        "content": { "type": "string" },
                        "status": { "type": "string", "enum": Status::NAMES },
                    },
                    "required": [],
                    "additionalProperties": false,
                },
            }),
        }
    }

    pub(super) fn allows(self, value: &Value) -> bool {
        match self {
            Self::Text | Self::Typed => value.is_string(),
            Self::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Self::Name => value.is_string() || whole(value).is_some(),
            Self::Flag => value.is_boolean(),
            Self::Number => value.is_number(),
            Self::Whole(least) => whole(value).is_some_and(|number| number >= least),
            Self::Texts(most) => value
                .as_array()
                .is_some_and(|texts| texts.len() <= most && texts.iter().all(Value::is_string)),
            Self::Tasks => value
                .as_array()
                .is_some_and(|tasks| tasks.len() <= limits::TASKS_MAX && tasks.iter().all(is_task)),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Text | Self::Typed => "a text".to_owned(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Name => "a text or a whole number".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Whole(i64::MIN) => "a whole number".to_owned(),
            Self::Whole(least) => format!("a whole number, at least {least}"),
            Self::Texts(most) => format!("a list of at most {most} texts"),
            Self::Tasks => format!(
                "a list of at most {} tasks, each with `id`, `content` and `status` (one of {})",
                limits::TASKS_MAX,
                Status::NAMES.join(", ")
            ),
        }
    }
}

fn or_null(schema: &mut Value) {
    let kind = schema["type"].take();
    let kinds = kind.as_array().cloned().unwrap_or_else(|| vec![kind]);
    schema["type"] = kinds.into_iter().chain(["null".into()]).collect();
    if let Some(words) = schema["enum"].as_array_mut() {
        words.push(Value::Null);
    }
}

fn is_task(value: &Value) -> bool {
    let Value::Object(task) = value else {
        return false;
    };
    task.iter().all(|(name, value)| match name.as_str() {
        "id" | "content" => value.is_string(),
        "status" => value.as_str().and_then(Status::named).is_some(),
        _ => false,
    })
}

/// A whole number, also one that is written with a point; one beyond all bounds stands at the bound.
fn whole(value: &Value) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    Some(number as i64)
}

/// The arguments of one call, all of them allowed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Given(Map<String, Value>);

impl Given {
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// A text, or a number as one.
    pub(crate) fn name(&self, name: &str) -> Option<String> {
        let value = self.0.get(name)?;
        Some(
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
        )
    }

    /// Whether it was said, and is true.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64()
    }

    pub(crate) fn whole(&self, name: &str) -> Option<i64> {
        whole(self.0.get(name)?)
    }

    pub(crate) fn list(&self, name: &str) -> Option<&[Value]> {
        self.0.get(name)?.as_array().map(Vec::as_slice)
    }

    pub(crate) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let texts = self.0.get(name)?.as_array()?.iter();
        Some(texts.filter_map(Value::as_str).map(str::to_owned).collect())
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
