//! Programs of bindings, with what a reference reads and gives to a child process.
//!
//! An operation is known by what it carries: `values` bind, `ops` run in a task (or in a thread
//! that was started by hand and knows nothing), a text in `value` is the id of a session. The
//! reference's names of variables are read as ours; those we do not have must stay unknown.

use std::collections::BTreeMap;

use angelia_core::context::variables::{
    Ambient, Change, Identity, LateDelivery, Variable, Variables,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    process_environment: BTreeMap<String, String>,
    operations: Vec<Operation>,
    expected_reads: Vec<Read>,
}

#[derive(Deserialize)]
struct Operation {
    op: String,
    label: Option<String>,
    values: Option<Map<String, Value>>,
    value: Option<Value>,
    ops: Option<Vec<Operation>>,
}

#[derive(Deserialize)]
struct Read {
    at: String,
    values: BTreeMap<String, String>,
    late_delivery_supported: bool,
    child_process_environment: BTreeMap<String, String>,
}

/// What happened in the process so far, and what was read.
struct Run<'a> {
    case: &'a Case,
    /// The process's variables under our names.
    started: BTreeMap<String, String>,
    engaged: Engaged,
    mirrored_id: Option<String>,
    reads: std::slice::Iter<'a, Read>,
}

/// Whether a turn was ever bound in the process; from then on ours believes no environment.
#[derive(Clone, Copy, PartialEq)]
enum Engaged {
    NotYet,
    Once,
}

fn variable(theirs: &str) -> Option<Variable> {
    let name = theirs.split_once("SESSION_")?.1;
    let ends = |known: &Variable| known.name().strip_prefix("ANGELIA_SESSION_") == Some(name);
    Variable::ALL.into_iter().find(ends)
}

fn identity(values: &Map<String, Value>) -> Identity {
    let text = |name: &str| values.get(name).and_then(Value::as_str).unwrap_or_default();
    Identity {
        platform: text("platform").to_owned(),
        chat_id: text("chat_id").to_owned(),
        chat_name: text("chat_name").to_owned(),
        thread_id: text("thread_id").to_owned(),
        user_id: text("user_id").to_owned(),
        user_name: text("user_name").to_owned(),
        message_id: text("message_id").to_owned(),
        key: text("session_key").to_owned(),
        id: text("session_id").to_owned(),
    }
}

fn late(supported: Option<&Value>) -> LateDelivery {
    match supported.and_then(Value::as_bool) {
        Some(false) => LateDelivery::Unsupported,
        Some(true) | None => LateDelivery::Supported,
    }
}

impl Run<'_> {
    fn ambient(&self) -> Ambient<'_> {
        match self.engaged {
            Engaged::NotYet => Ambient::Inherited(&self.started),
            Engaged::Once => Ambient::Ignored,
        }
    }

    fn all(&mut self, operations: &[Operation], mut now: Variables) {
        for operation in operations {
            now = self.one(operation, now);
        }
    }

    fn one(&mut self, operation: &Operation, now: Variables) -> Variables {
        match operation {
            Operation {
                label: Some(label), ..
            } => {
                self.look(label, &now);
                now
            }
            Operation {
                ops: Some(inner),
                op,
                ..
            } => {
                let by_hand = op.contains("thread") && !op.contains("pool");
                let inside = if by_hand {
                    Variables::unset()
                } else {
                    now.clone()
                };
                self.all(inner, inside);
                now
            }
            Operation {
                values: Some(values),
                ..
            } => {
                self.engaged = Engaged::Once;
                let late = late(values.get("async_delivery"));
                Variables::of(identity(values)).with_late_delivery(late)
            }
            Operation {
                value: Some(Value::String(id)),
                ..
            } => {
                self.mirrored_id = Some(id.clone());
                now.continued_as(id.clone())
            }
            Operation {
                value: Some(flag), ..
            } => now.with_late_delivery(late(Some(flag))),
            Operation { op, .. } if op.starts_with("clear") => Variables::cleared(),
            Operation { op, .. } if op.starts_with("reset") => Variables::unset(),
            Operation { op, .. } => panic!("{}: what is the operation {op}?", self.case.id),
        }
    }

    fn look(&mut self, label: &str, now: &Variables) {
        let read = self.reads.next().expect("as many reads as labels");
        assert_eq!(read.at, label, "{}", self.case.id);
        let supported = now.late_delivery() == LateDelivery::Supported;
        assert_eq!(
            supported, read.late_delivery_supported,
            "{} {label}",
            self.case.id
        );
        for (name, expected) in &read.values {
            let ours = variable(name).and_then(|name| now.read(name, self.ambient()));
            self.judge(
                name,
                ours,
                Some(expected).filter(|text| *text != "<default>"),
            );
        }
        let changes = now.for_child(self.ambient());
        for (name, expected) in &read.child_process_environment {
            let ours = variable(name).and_then(|name| self.given(&changes[name.name()], name));
            self.judge(
                name,
                ours,
                Some(expected).filter(|text| *text != "<absent>"),
            );
        }
    }

    fn given<'a>(&'a self, change: &'a Change, name: Variable) -> Option<&'a str> {
        match change {
            Change::Set(value) => Some(value),
            Change::Remove => None,
            Change::Keep => self.started.get(name.name()).map(String::as_str),
        }
    }

    /// The same, or ours has nothing where the reference shows what belongs to no turn: what the
    /// process was started with although turns were bound, or an id that was left in the process.
    fn judge(&self, name: &str, ours: Option<&str>, theirs: Option<&String>) {
        let theirs = theirs.map(String::as_str);
        let started = self.case.process_environment.get(name).map(String::as_str);
        let foreign = self.engaged == Engaged::Once && theirs == started;
        let mirrored = name.ends_with("SESSION_ID") && theirs == self.mirrored_id.as_deref();
        let excused = ours.is_none() && theirs.is_some() && (foreign || mirrored);
        assert!(
            ours == theirs || excused,
            "{} {name}: {ours:?} or {theirs:?}",
            self.case.id
        );
    }
}

#[test]
fn tools_and_children_see_what_the_reference_shows_unless_it_belongs_to_no_turn() {
    for case in cases::<Case>("sessions/context_variables.json") {
        let ours = |(name, value): (&String, &String)| {
            Some((variable(name)?.name().to_owned(), value.clone()))
        };
        let mut run = Run {
            case: &case,
            started: case.process_environment.iter().filter_map(ours).collect(),
            engaged: Engaged::NotYet,
            mirrored_id: None,
            reads: case.expected_reads.iter(),
        };
        run.all(&case.operations, Variables::unset());
        assert_eq!(run.reads.len(), 0, "{}: a read is missing", case.id);
    }
}
