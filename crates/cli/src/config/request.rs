//! What a model's server is asked besides: `[agent.request]`, and the same for each agent and each model behind one.
//!
//! The values are the operator's, in the words of that server, and go into each request as they are. What the gateway
//! says itself cannot stand here; whoever writes it is told where it belongs.

use serde_json::{Map, Value};
use toml::de::DeValue;

use super::keys::REQUEST;
use super::problem::{Place, Problem};
use super::raw;
use super::resolve::{Effective, Layers};

/// Answers are streams, whatever anybody wishes.
const STREAMED: &str = "answers are always streamed; remove it";

/// Tokens of an answer have one name here, whatever the server calls them.
const LENGTH: &str = "set `answer_tokens` beside the table instead";

/// Several at once would be woven together, and are paid for each.
const ONE: &str = "one answer is asked for at a time; remove it";

/// What the gateway says itself, and what to set instead.
const OURS: [(&str, &str); 11] = [
    ("model", "set `model` beside the table instead"),
    ("messages", "it is the conversation; remove it"),
    ("system", "set `agent.prompt_file` instead"),
    ("tools", "set `[tools]` instead"),
    ("stream", STREAMED),
    ("stream_options", STREAMED),
    ("max_tokens", LENGTH),
    ("max_completion_tokens", LENGTH),
    ("max_output_tokens", LENGTH),
    ("n", ONE),
    ("best_of", ONE),
];

impl Layers<'_> {
    /// What is written below `table`. What is wrong is noted.
    pub(super) fn request(&mut self, table: &str) -> Map<String, Value> {
        let above = format!("{table}.request.");
        let written = self.raw.free.iter();
        let written = written.filter(|(path, _)| path.starts_with(&above));
        let written: Vec<(String, (String, Value))> = written
            .map(|(path, named)| (path.clone(), named.clone()))
            .collect();
        let mut request = Map::new();
        for (path, (name, value)) in written {
            self.show_request(&path);
            self.refuse_ours(&path, &name);
            request.insert(name, value);
        }
        request
    }

    /// Servers that are told how much may be thought refuse a request in which nothing is left for the answer.
    pub(super) fn leave_room(
        &mut self,
        table: &str,
        tokens: Option<u32>,
        request: &Map<String, Value>,
    ) {
        let thinking = request.get("thinking");
        let budget = thinking.and_then(|thinking| thinking["budget_tokens"].as_u64());
        let (Some(budget), Some(tokens)) = (budget, tokens) else {
            return;
        };
        if budget < u64::from(tokens) {
            return;
        }
        let path = format!("{table}.request.thinking");
        let line = self
            .raw
            .written
            .get(&path)
            .map_or(1, |written| written.line);
        let says = format!(
            "`{path}` has a budget that leaves no room for an answer: set `{table}.answer_tokens` to more than the \
             {tokens} tokens of now, or a smaller budget"
        );
        let place = Place::Line(line);
        self.raw.problems.push(Problem { place, says });
    }

    fn show_request(&mut self, path: &str) {
        let written = self.raw.written.get(path);
        self.effective.push(Effective {
            path: path.to_owned(),
            kind: REQUEST.kind,
            text: written.map(|written| written.text.clone()),
            place: written.map(|written| Place::Line(written.line)),
        });
    }

    fn refuse_ours(&mut self, path: &str, name: &str) {
        let Some((_, instead)) = OURS.iter().find(|(ours, _)| *ours == name) else {
            return;
        };
        let line = self.raw.written.get(path).map_or(1, |written| written.line);
        let says = format!("`{path}` is what the gateway says itself: {instead}");
        let place = Place::Line(line);
        self.raw.problems.push(Problem { place, says });
    }
}

/// A value of the file as it goes over the wire, if there is such a thing.
pub(super) fn value(written: &DeValue<'_>) -> Option<Value> {
    match written {
        DeValue::String(text) => Some(text.as_ref().into()),
        DeValue::Boolean(answer) => Some((*answer).into()),
        DeValue::Integer(digits) => raw::number(digits).map(Value::from),
        DeValue::Float(number) => {
            let number: f64 = number.as_str().replace('_', "").parse().ok()?;
            serde_json::Number::from_f64(number).map(Value::Number)
        }
        DeValue::Array(list) => list.iter().map(|one| value(one.get_ref())).collect(),
        DeValue::Table(table) => {
            let fields = table.iter();
            let fields =
                fields.map(|(name, one)| Some((name.get_ref().to_string(), value(one.get_ref())?)));
            fields.collect::<Option<Map<_, _>>>().map(Value::Object)
        }
        // No server's JSON has dates.
        DeValue::Datetime(_) => None,
    }
}

/// The value as it would be written on one line.
pub(super) fn shown(value: &Value) -> String {
    toml::Value::try_from(value).map_or_else(|_| value.to_string(), |value| value.to_string())
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
