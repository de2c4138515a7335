//! Blocks of thoughts that come in pieces, as some servers send them beside the words.
//!
//! Each chunk has a small object with a type, a number and a few letters more; what goes back is one object for each block.
//! Pieces of one block have the same type and number. Its texts are joined, everything else is as it was told last.

use serde_json::{Map, Value};

/// What stands around the name of a field: two quotation marks, a colon and a comma.
const AROUND_NAME: usize = 4;

/// The fields that grow.
const GROWING: [&str; 3] = ["text", "summary", "data"];

/// The blocks so far, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Details(Vec<Map<String, Value>>);

impl Details {
    /// Takes a piece. Returns by how many bytes this has grown.
    pub(super) fn add(&mut self, piece: Map<String, Value>) -> usize {
        let is_same = |one: &Map<String, Value>| {
            let same = |name: &str| one.get(name) == piece.get(name);
            same("type") && same("index")
        };
        // A block without a number is joined with its neighbour alone.
        let known = match piece.get("index") {
            Some(Value::Number(_)) => self.0.iter().rposition(is_same),
            Some(_) | None => self
                .0
                .len()
                .checked_sub(1)
                .filter(|last| is_same(&self.0[*last])),
        };
        match known {
            Some(place) => join(&mut self.0[place], piece),
            None => {
                let size = Value::Object(piece.clone()).to_string().len();
                self.0.push(piece);
                size
            }
        }
    }

    /// The blocks as they go back.
    pub(super) fn blocks(self) -> Vec<Value> {
        self.0.into_iter().map(Value::Object).collect()
    }
}

fn join(block: &mut Map<String, Value>, piece: Map<String, Value>) -> usize {
    let mut grown = 0;
    for (name, more) in piece.into_iter().filter(|(_, more)| !more.is_null()) {
        let does_grow = GROWING.contains(&name.as_str());
        if !block.contains_key(&name) {
            grown += name.len() + AROUND_NAME;
        }
        let known = block.entry(name).or_insert(Value::Null);
        if does_grow && let (Value::String(text), Value::String(more)) = (&mut *known, &more) {
            grown += more.len();
            text.push_str(more);
        } else if *known != more {
            grown += more.to_string().len();
            *known = more;
        }
    }
    grown
}
