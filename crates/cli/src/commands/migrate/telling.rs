//! What `angelia migrate` says: what would be copied, what was, and what to do next.

use std::path::PathBuf;

use angelia_core::copying::Plan;
use angelia_store::copying::{Survey, Way};
use serde_json::{Value, json};

use super::Done;
use crate::errors::Failure;
use crate::output::table::Table;
use crate::output::{Form, Output, Paint, time};

/// How and to whom it is said.
pub(super) struct Told {
    pub(super) output: Output,
    /// What `database` is to be, as it may be shown.
    pub(super) setting: String,
    /// The file where it stands.
    pub(super) config: PathBuf,
    /// Whether a variable counts more than that file.
    pub(super) by_variable: bool,
}

/// What is still to be known when the copy was made.
pub(super) struct View {
    plan: Plan,
    from: String,
    to: String,
    way: Way,
    elsewhere: u64,
}

impl View {
    pub(super) fn of(survey: &Survey) -> Self {
        let (from, to) = survey.places.clone();
        Self {
            plan: survey.plan,
            from,
            to,
            way: survey.way(),
            elsewhere: survey.elsewhere,
        }
    }

    /// Whether processes of other homes are left without anybody who reaches them.
    fn left_behind(&self) -> Option<String> {
        let few = self.way == Way::RowsToFiles && self.elsewhere > 0;
        few.then(|| {
            format!(
                "{} background processes run under other homes; their rows are copied, and nobody reaches them from here",
                self.elsewhere
            )
        })
    }
}

impl Told {
    /// What would be copied.
    pub(super) fn would(&self, survey: &Survey) -> Result<(), Failure> {
        let view = View::of(survey);
        let rows: u64 = survey.tables.iter().map(|table| table.rows).sum();
        if self.output.form == Form::Json {
            let tables = survey.tables.iter();
            let tables: Vec<Value> = tables
                .map(|table| json!({ "table": table.table, "rows": table.rows }))
                .collect();
            return self.output.json(&json!({
                "plan": plan_name(view.plan),
                "from": view.from,
                "to": view.to,
                "rows": rows,
                "bytes": survey.bytes,
                "tables": tables,
            }));
        }
        let mut table = Table::new(["ROWS", "TABLE"]);
        for counted in survey.tables.iter().filter(|counted| counted.rows > 0) {
            table.row([
                counted.rows.to_string().into(),
                counted.table.as_str().into(),
            ]);
        }
        table.print(&self.output)?;
        let (from, to) = (&view.from, &view.to);
        self.output.line(match view.plan {
            Plan::Begin => format!("would copy {rows} rows from {from} to {to}"),
            Plan::GoOn => format!("would go on with the copy of {rows} rows from {from} in {to}"),
            Plan::StartOver => {
                format!("would empty the unfinished copy in {to} and copy {rows} rows from {from}")
            }
            Plan::Check => format!("{to} seems to be a copy of {from}; would compare {rows} rows"),
        })?;
        self.say_left_behind(&view)
    }

    /// What was copied, and what to do next.
    pub(super) fn done(&self, view: &View, done: &Done) -> Result<(), Failure> {
        let rows: u64 = done.checked.iter().map(|table| table.sum.rows()).sum();
        if self.output.form == Form::Json {
            return self.output.json(&self.summary(view, done, rows));
        }
        let (from, to) = (&view.from, &view.to);
        let verb = match view.plan {
            Plan::Check => "nothing was left to copy",
            Plan::Begin | Plan::GoOn | Plan::StartOver => "copied",
        };
        let took = time::short(done.took);
        self.output.line(format_args!(
            "{verb}: {to} holds the same {rows} rows as {from} ({took})"
        ))?;
        self.say_files(view, done)?;
        self.say_left_behind(view)?;
        self.say_next()
    }

    fn say_files(&self, view: &View, done: &Done) -> Result<(), Failure> {
        let (copied, missing) = (done.files.copied, done.files.missing);
        let into = match view.way {
            Way::FilesToRows => "the database",
            Way::RowsToFiles | Way::RowsToRows | Way::Files => "the home",
        };
        if copied > 0 {
            let words = format!("{copied} pictures and files are in {into} now");
            self.output.line(words)?;
        }
        if missing > 0 {
            let named: Vec<String> = done.files.named.iter().map(ToString::to_string).collect();
            let words = format!(
                "{missing} pictures or files are not there any more, and were not before: {}",
                named.join(", ")
            );
            self.output.line(self.output.paint(Paint::Busy, &words))?;
        }
        Ok(())
    }

    fn say_left_behind(&self, view: &View) -> Result<(), Failure> {
        match view.left_behind() {
            Some(words) if self.output.form == Form::People => {
                self.output.line(self.output.paint(Paint::Busy, &words))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn say_next(&self) -> Result<(), Failure> {
        let (setting, config) = (&self.setting, self.config.display());
        let line = self
            .output
            .paint(Paint::Strong, &format!("database = \"{setting}\""));
        self.output.line(format_args!("next: {line}"))?;
        self.output.line(match self.by_variable {
            true => {
                "      is for ANGELIA_DATABASE, which counts more than the configuration".to_owned()
            }
            false => format!("      goes into {config}{}", with_password(setting)),
        })?;
        self.output.line(
            "      then start the gateway; it makes the search index anew while it runs. The old database stays as it is",
        )
    }

    fn summary(&self, view: &View, done: &Done, rows: u64) -> Value {
        let tables = done.checked.iter();
        let tables: Vec<Value> = tables
            .map(|table| {
                let checksum = table.sum.to_string();
                json!({ "table": table.table, "rows": table.sum.rows(), "checksum": checksum })
            })
            .collect();
        let named: Vec<String> = done.files.named.iter().map(ToString::to_string).collect();
        json!({
            "plan": plan_name(view.plan),
            "from": view.from,
            "to": view.to,
            "rows": rows,
            "tables": tables,
            "files": {
                "copied": done.files.copied,
                "missing": done.files.missing,
                "first_missing": named,
            },
            "processes_elsewhere": view.elsewhere,
            "took_ms": done.took.as_ms(),
            "database": self.setting,
        })
    }
}

/// The address of a server is shown without its password.
fn with_password(setting: &str) -> &'static str {
    match setting.contains("://") {
        true => ", with the password if it has one",
        false => "",
    }
}

fn plan_name(plan: Plan) -> &'static str {
    match plan {
        Plan::Begin => "begin",
        Plan::GoOn => "go_on",
        Plan::StartOver => "start_over",
        Plan::Check => "check",
    }
}
