//! What an operator does with conversations. Each says what came of it in one line.

use std::fs::OpenOptions;
use std::io::Write as _;

use angelia_api::client::DocumentForm;
use angelia_api::wire::v1::change::{BranchWish, New as Anew, RewindWish, Rewound, Then};
use angelia_api::wire::v1::facts::Model as Choice;
use angelia_api::wire::v1::session::SessionDetail;
use angelia_core::text;
use serde::Serialize;
use serde_json::json;

use super::{Desk, called};
use crate::args::sessions::{
    Branch, Delete, Export, Form as Document, Model, New, One, Prune, Resume, Rewind, Title,
};
use crate::errors::Failure;
use crate::output::{Form, Output};

/// How much of what was taken back is quoted.
const QUOTE_CHARS: usize = 60;

pub(super) fn begin(desk: &Desk<'_>, wish: New) -> Result<(), Failure> {
    let id = desk.find(&wish.one.session)?;
    let asked = Anew {
        title: wish.title,
        session_id: None,
    };
    let new = desk.ask(desk.client.begin(id, &asked))?;
    told(desk, &wish.one, &new, |output| {
        format!(
            "began {}; take the one before up again with `angelia sessions resume {id}`",
            called(output, &new.session)
        )
    })
}

pub(super) fn resume(desk: &Desk<'_>, wish: &Resume) -> Result<(), Failure> {
    let target = desk.find(&wish.one.session)?;
    let place = wish.place.as_deref().map(|text| desk.find(text));
    let place = place.transpose()?.unwrap_or(target);
    let resumed = desk.ask(desk.client.resume(place, target))?;
    told(desk, &wish.one, &resumed, |output| {
        format!("going on in {}", called(output, &resumed.session))
    })
}

pub(super) fn rewind(desk: &Desk<'_>, wish: &Rewind) -> Result<(), Failure> {
    let id = desk.find(&wish.one.session)?;
    if wish.dry_run {
        let plan = desk.ask(desk.client.rewind_plan(id, wish.turns))?;
        return told(desk, &wish.one, &plan, |output| {
            format!("would take back {}", taken(output, &plan))
        });
    }
    let asked = RewindWish {
        turns: wish.from.is_none().then_some(wish.turns),
        from: wish.from,
    };
    let rewound = desk.ask(desk.client.rewind(id, &asked))?;
    told(desk, &wish.one, &rewound, |output| {
        format!("took back {}", taken(output, &rewound))
    })
}

fn taken(output: &Output, rewound: &Rewound) -> String {
    let entries = match rewound.rows {
        1 => "1 entry".to_owned(),
        rows => format!("{rows} entries"),
    };
    let quote = rewound.text.as_ref().map(|words| {
        let words = text::preview(words, QUOTE_CHARS);
        format!(", from \"{}\" on", output.foreign(&words))
    });
    format!("{entries}{}", quote.unwrap_or_default())
}

pub(super) fn branch(desk: &Desk<'_>, wish: Branch) -> Result<(), Failure> {
    let id = desk.find(&wish.one.session)?;
    let asked = BranchWish {
        title: wish.title,
        up_to: wish.up_to,
        then: if wish.take_along {
            Then::Move
        } else {
            Then::Stay
        },
        session_id: None,
    };
    let made = desk.ask(desk.client.branch(id, &asked))?;
    told(desk, &wish.one, &made, |output| {
        format!("branched into {}", called(output, &made.session))
    })
}

pub(super) fn stop(desk: &Desk<'_>, wish: &One) -> Result<(), Failure> {
    let id = desk.find(&wish.session)?;
    let stopped = desk.ask(desk.client.stop(id))?;
    told(desk, wish, &stopped, |_| match stopped.turn {
        Some(turn) => format!("stopping {turn}"),
        None => "nothing runs there".to_owned(),
    })
}

pub(super) fn suspend(desk: &Desk<'_>, wish: &One) -> Result<(), Failure> {
    let id = desk.find(&wish.session)?;
    let detail = desk.ask(desk.client.suspend(id))?;
    told(desk, wish, &detail, |output| {
        let name = called(output, &detail.session);
        format!("{name} is suspended: the next message of its place begins anew")
    })
}

pub(super) fn title(desk: &Desk<'_>, wish: &Title) -> Result<(), Failure> {
    let id = desk.find(&wish.one.session)?;
    let title = (!wish.clear).then(|| wish.title.join(" "));
    let detail = desk.ask(desk.client.rename(id, title))?;
    told(desk, &wish.one, &detail, |output| {
        match &detail.session.title {
            Some(title) => format!("{id} is called \"{}\"", output.foreign(title)),
            None => format!("{id} has no title"),
        }
    })
}

pub(super) fn model(desk: &Desk<'_>, wish: Model) -> Result<(), Failure> {
    let id = desk.find(&wish.one.session)?;
    let choice = Choice {
        model: wish.model,
        provider: wish.provider,
        base_url: wish.base_url,
    };
    let detail = desk.ask(desk.client.choose_model(id, &choice))?;
    told(desk, &wish.one, &detail, |_| model_of(&detail))
}

fn model_of(detail: &SessionDetail) -> String {
    let id = detail.session.id;
    match &detail.facts.model {
        None => format!("{id} uses the usual model"),
        Some(chosen) => {
            let parts = [&chosen.model, &chosen.provider, &chosen.base_url];
            let said: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
            format!("{id} uses {} from its next turn on", said.join(", "))
        }
    }
}

pub(super) fn delete(desk: &Desk<'_>, wish: &Delete) -> Result<(), Failure> {
    let id = desk.find(&wish.session)?;
    let output = desk.start.output(Form::People);
    let detail = desk.ask(desk.client.session(id))?;
    let name = called(&output, &detail.session);
    if !wish.yes {
        let what = format!("{name} would be deleted with everything said in it, for good");
        return Err(Failure::new(what).hint("add `--yes` to do it; `export` keeps a copy"));
    }
    desk.ask(desk.client.delete_session(id))?;
    output.line(format_args!("deleted {name}"))
}

pub(super) fn prune(desk: &Desk<'_>, wish: &Prune) -> Result<(), Failure> {
    let pruned = desk.ask(desk.client.prune(&wish.older_than))?;
    let output = desk.start.output(wish.format.form());
    if output.form == Form::Json {
        return output.json(&pruned);
    }
    output.line(match pruned.ended {
        0 => "nothing was that old".to_owned(),
        1 => "ended 1 conversation".to_owned(),
        ended => format!("ended {ended} conversations"),
    })
}

pub(super) fn export(desk: &Desk<'_>, wish: &Export) -> Result<(), Failure> {
    let id = desk.find(&wish.session)?;
    let form = match wish.form {
        Document::Markdown => DocumentForm::Markdown,
        Document::Json => DocumentForm::Json,
    };
    let document = desk.ask(desk.client.export(id, form))?;
    let output = desk.start.output(Form::People);
    let Some(path) = &wish.output else {
        return output.piece(output.foreign(&document));
    };
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(document.as_bytes()));
    let failed = |error| {
        let what = format!("{} cannot be written: {error}", path.display());
        Failure::new(what).hint("name a file that does not exist yet, in a folder that does")
    };
    written.map_err(failed)?;
    output.line(format_args!("wrote {}", path.display()))
}

/// Says what came of a wish: the answer itself, or a line for people.
fn told(
    desk: &Desk<'_>,
    wish: &One,
    answer: &impl Serialize,
    line: impl FnOnce(&Output) -> String,
) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    match output.form {
        Form::Json => output.json(&json!(answer)),
        Form::People => output.line(line(&output)),
    }
}
