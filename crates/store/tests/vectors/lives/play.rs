//! Does what a step asks, with the verbs of the store.

use std::collections::BTreeMap;

use angelia_core::id::SessionId;
use angelia_core::session::lifecycle::{self, Because, Interrupted, Next};
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::reset::notice::Cause;
use angelia_core::time::Span;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::entry::{Entry as Said, Role};
use angelia_store::Change as Changed;
use angelia_store::sessions::{
    Anew, At, Authority, Begun, Change, Compacted, Force, Record, Sessions as _, Switched,
};
use angelia_store::transcripts::{By, Hide, Last, Replacement, Seen, Transcripts as _};
use serde_json::{Value, json};

use super::house::{House, Source};
use super::told::{Step, moment};

/// What the store answered.
#[derive(Debug)]
pub(super) enum Answer {
    /// Nothing to compare.
    Silent,
    /// A conversation, if there is one.
    Entry(Option<Box<Record>>),
    /// A plain value.
    Plain(Value),
    /// A session, if there is one.
    Session(Option<SessionId>),
    /// Sessions in order.
    Sessions(Vec<SessionId>),
    /// The operation has no counterpart.
    NotOurs,
}

/// A text that nothing remembers: a command is no part of what was said.
const LOOKUP: &str = "/status";

/// Sessions by the names that a trace gives them.
pub(super) type Names = BTreeMap<String, SessionId>;

/// Plays one step.
pub(super) async fn play(house: &mut House, names: &mut Names, step: &Step) -> Answer {
    match step.op.as_str() {
        "advance" => {
            house.set_clock(house.now() + Span::seconds(step.seconds.unwrap()));
            Answer::Silent
        }
        "set_clock" => {
            house.set_clock(moment(step.at.as_deref().unwrap()));
            Answer::Silent
        }
        "restart" => {
            house.restart();
            Answer::Silent
        }
        "configure" => {
            house.configure(step.config.as_ref().unwrap());
            Answer::Silent
        }
        "lose_index" | "corrupt_index_file" => {
            house.restart();
            Answer::NotOurs
        }
        "database_lost" => Answer::NotOurs,
        "database_create" | "database_end" | "compress" => rows(house, names, step).await,
        "say" | "append" | "load" | "rewrite" | "rewind" | "has_platform_message_id" => {
            words(house, names, step).await
        }
        "set_active_processes" => processes(house, step).await,
        "suspend_recently_active" => recently_active(house, step).await,
        "list" => list(house, step).await,
        "prune_old" => {
            let age = Span::days(step.max_age_days.unwrap());
            Answer::Plain(json!(house.store.prune(age).await.unwrap()))
        }
        "has_any" => Answer::Plain(json!(house.store.has_any().await.unwrap())),
        "lookup" => {
            let session = names.get(step.session.as_deref().unwrap()).copied();
            let key = house.record(session.unwrap()).await.key;
            Answer::Plain(json!(key.as_str()))
        }
        _ => of_source(house, names, step).await,
    }
}

/// Steps that name a source.
async fn of_source(house: &mut House, names: &mut Names, step: &Step) -> Answer {
    let name = step.source.as_deref().unwrap_or_else(|| panic!("{step:?}"));
    let at = At::Scope(house.scope(name));
    let spoken = house.spoken(name).await;
    let session = spoken.as_ref().map(|record| record.id);
    match (step.op.as_str(), session) {
        ("get_or_create", _) => return get_or_create(house, step, at).await,
        ("entry" | "get_model_override" | "peek" | "is_expired", _) => {
            return read(house, step, spoken);
        }
        ("reset", _) => return reset(house, step, at).await,
        ("switch", _) => return switch(house, names, step, at).await,
        (_, None) => return nobody(step),
        ("update", Some(session)) => {
            let tokens = step.last_prompt_tokens;
            house.store.touch(session, tokens).await.unwrap();
        }
        ("suspend", Some(session)) => {
            let done = house.store.suspend(session).await.unwrap();
            return Answer::Plain(json!(done != Change::Unknown));
        }
        ("mark_resume_pending", Some(session)) => {
            let why = step.reason.as_deref().unwrap_or("restart_timeout");
            let why = why.parse().unwrap_or(Interrupted::RestartTimeout);
            let done = house.store.mark_resume(session, why).await.unwrap();
            return Answer::Plain(json!(done == Change::Done));
        }
        ("clear_resume_pending", Some(session)) => {
            let done = house.store.clear_resume(session).await.unwrap();
            return Answer::Plain(json!(done == Change::Done));
        }
        ("set_model_override", Some(session)) => {
            let chosen = step.model.as_ref().and_then(ModelOverride::of);
            let set = house.store.set_model_override(session, chosen).await;
            assert_ne!(set.unwrap(), Change::Unknown);
            return Answer::Silent;
        }
        ("finalize_expiry", Some(_)) => {
            let rules = house.rules.clone();
            house.store.expire(rules, 100).await.unwrap();
        }
        ("consume_flags", Some(_)) => {
            let source = house.sources[name].clone();
            let words = house.message(&source, "hello");
            house.look_up(words).await;
            return Answer::Silent;
        }
        (other, Some(_)) => panic!("nobody knows the step `{other}`"),
    }
    Answer::Entry(house.spoken(name).await.map(Box::new))
}

/// What a place without a conversation answers.
fn nobody(step: &Step) -> Answer {
    match step.op.as_str() {
        "suspend" | "mark_resume_pending" | "clear_resume_pending" => Answer::Plain(json!(false)),
        "consume_flags" | "set_model_override" => Answer::Silent,
        _ => Answer::Entry(None),
    }
}

fn read(house: &House, step: &Step, spoken: Option<Record>) -> Answer {
    match (step.op.as_str(), spoken) {
        ("peek", spoken) => Answer::Session(spoken.map(|record| record.id)),
        ("entry", spoken) => Answer::Entry(spoken.filter(goes_on).map(Box::new)),
        ("is_expired", Some(record)) => Answer::Plain(json!(is_due(house, &record))),
        ("is_expired", None) => Answer::Plain(json!(false)),
        (_, spoken) => Answer::Plain(json!(spoken.and_then(|record| record.model_override))),
    }
}

/// A place whose conversation was ended for good has none, until somebody speaks.
fn goes_on(record: &Record) -> bool {
    use angelia_core::transcript::ending::Life;
    !matches!(record.standing.life, Life::Ended(reason) if !reason.is_accident())
}

fn is_due(house: &House, record: &Record) -> bool {
    let address = &record.address;
    let (platform, kind) = (address.platform.name(), address.chat.kind.name());
    let policy = house.rules.resets.at(platform, kind);
    matches!(
        lifecycle::decide(&record.standing, policy, &house.rules, house.now()),
        Next::Anew(Because::Itself(Cause::Policy(_)))
    )
}

async fn get_or_create(house: &mut House, step: &Step, at: At) -> Answer {
    if step.force_new == Some(true) {
        begin_anew(house, at, Reason::NewSession, None).await;
    }
    let source = house.sources[step.source.as_deref().unwrap()].clone();
    let message = house.message(&source, LOOKUP);
    let session = house.look_up(message).await;
    Answer::Entry(Some(Box::new(house.record(session).await)))
}

async fn begin_anew(house: &mut House, at: At, why: Reason, label: Option<String>) -> Begun {
    let anew = Anew {
        at,
        session: house.session_id(),
        why,
        label,
        by: Authority::Place,
    };
    let begun = house.store.begin_anew(anew.clone()).await.unwrap();
    if begun != Begun::Unknown {
        let again = house.store.begin_anew(anew).await.unwrap();
        assert_eq!(again, Begun::Before, "asked again it changes nothing");
    }
    begun
}

async fn reset(house: &mut House, step: &Step, at: At) -> Answer {
    let label = step.display_name.clone();
    match begin_anew(house, at, Reason::SessionReset, label).await {
        Begun::Unknown | Begun::Busy => Answer::Entry(None),
        Begun::Anew { .. } | Begun::Before => {
            let spoken = house.spoken(step.source.as_deref().unwrap()).await;
            Answer::Entry(spoken.map(Box::new))
        }
    }
}

async fn switch(house: &mut House, names: &mut Names, step: &Step, at: At) -> Answer {
    let target = names.get(step.target.as_deref().unwrap()).copied();
    let target = target.unwrap_or(SessionId::from_bits(u128::MAX));
    let operator = Authority::Operator;
    match house.store.switch(at, target, operator).await.unwrap() {
        Switched::Done { .. } | Switched::Same => {
            Answer::Entry(Some(Box::new(house.record(target).await)))
        }
        Switched::UnknownPlace | Switched::UnknownTarget => Answer::Entry(None),
        Switched::Busy => panic!("nobody works here"),
        Switched::Forbidden => panic!("the operator reaches everything"),
    }
}

/// Steps behind the back of the gateway.
async fn rows(house: &mut House, names: &mut Names, step: &Step) -> Answer {
    let name = step.session.clone().unwrap();
    match step.op.as_str() {
        "database_create" => {
            let session = elsewhere(house, step).await;
            names.insert(name, session);
            Answer::Silent
        }
        "database_end" => {
            let why = step.reason.as_deref().unwrap().parse().unwrap();
            let ended = house.store.end(names[&name], why, Force::Plain).await;
            assert_ne!(ended.unwrap(), Change::Unknown);
            Answer::Silent
        }
        _ if step.model_config.is_some() => {
            let child = elsewhere(house, step).await;
            let end = house
                .store
                .end(names[&name], Reason::Compression, Force::Plain);
            assert_eq!(end.await.unwrap(), Change::Done);
            Answer::Session(Some(child))
        }
        _ => {
            let (parent, child) = (names[&name], house.session_id());
            match house.store.compact_into(parent, child).await.unwrap() {
                Compacted::Done | Compacted::Before => Answer::Session(Some(child)),
                Compacted::Ended(_) => Answer::Session(None),
                other @ (Compacted::Busy | Compacted::Unknown) => panic!("{other:?}"),
            }
        }
    }
}

/// A conversation that some other place began, with the same people.
async fn elsewhere(house: &mut House, step: &Step) -> SessionId {
    let number = house.number();
    let source = Source {
        platform: "telegram".to_owned(),
        chat_id: Some(step.chat_id.clone().unwrap_or(format!("chat {number}"))),
        chat_type: step.chat_type.clone().unwrap_or("dm".to_owned()),
        user_id: Some(step.user_id.clone().unwrap_or("nobody".to_owned())),
        thread_id: step.thread_id.clone(),
        user_name: None,
        chat_name: None,
        profile: None,
    };
    let mut message = house.message(&source, LOOKUP);
    message.address.account.0 = format!("account {number}");
    house.look_up(message).await
}

/// Steps about what was said.
async fn words(house: &mut House, names: &Names, step: &Step) -> Answer {
    let session = step.session.as_deref().and_then(|name| names.get(name));
    let session = session.copied().unwrap_or(SessionId::from_bits(u128::MAX));
    let store = &house.store;
    match step.op.as_str() {
        "say" => {
            let text = step.text.as_deref().unwrap();
            let rows = [
                (Role::User, text.to_owned()),
                (Role::Assistant, format!("reply to {text}")),
            ];
            let rows = rows.map(|(role, text)| Said::new(role, text).into()).into();
            let said = store.append(session, rows).await.unwrap();
            assert!(matches!(said, Changed::Done(_)), "{said:?}");
            Answer::Silent
        }
        "append" => {
            let entry = said(step.message.as_ref().unwrap());
            let _unknown = store.append(session, vec![entry.into()]).await.unwrap();
            Answer::Silent
        }
        "load" => {
            let rows = store.conversation(session, Last::All).await.unwrap();
            let rows = rows.unwrap_or_default().into_iter().map(|row| {
                json!({"role": row.entry.role.as_str(), "content": row.entry.content.plain_text()})
            });
            Answer::Plain(rows.collect())
        }
        "rewrite" => {
            let rows = step.messages.iter().flatten().map(|row| said(row).into());
            let replacement = Replacement {
                session,
                by: By::Anyone,
                seen: Seen::Anything,
                rows: rows.collect(),
            };
            let rewritten = store.rewrite(replacement).await.unwrap();
            Answer::Plain(json!(matches!(rewritten, Changed::Done(_))))
        }
        "rewind" => rewind(house, session, step.turns.unwrap_or(1)).await,
        _ => {
            let rows = store.rows(session, Default::default()).await.unwrap();
            let asked = step.platform_message_id.as_ref();
            let found = rows.is_some_and(|page| {
                let mut rows = page.items.iter();
                rows.any(|row| row.entry.platform_message_id.as_ref() == asked)
            });
            Answer::Plain(json!(found))
        }
    }
}

/// A row as traces write them: the message's own id under either name.
fn said(row: &Value) -> Said {
    let role = Role::from(row["role"].as_str().unwrap().to_owned());
    let id = row.get("platform_message_id").or(row.get("message_id"));
    let mut entry = Said::new(role, row["content"].as_str().unwrap().to_owned());
    entry.platform_message_id = id.and_then(Value::as_str).map(str::to_owned);
    entry
}

async fn rewind(house: &House, session: SessionId, turns: u32) -> Answer {
    let plan = house.store.rewind_plan(session, turns).await.unwrap();
    let Some(plan) = plan else {
        return Answer::Plain(Value::Null);
    };
    let hide = Hide {
        session,
        by: By::Anyone,
        from: plan.from,
        seen: Seen::UpTo(plan.last),
    };
    let hidden = house.store.hide_from(hide).await.unwrap();
    assert_eq!(hidden, Changed::Done(plan.rows));
    Answer::Plain(json!({
        "rewound_count": plan.rows, "turns_undone": plan.turns, "target_text": plan.text,
    }))
}

/// Whoever runs commands tells what runs; who cannot tell says that something does.
async fn processes(house: &mut House, step: &Step) -> Answer {
    let blind = step.registry_fails == Some(true);
    let busy = step.sources.clone().unwrap();
    for name in house.sources.keys().cloned().collect::<Vec<_>>() {
        if let Some(record) = house.spoken(&name).await {
            let since = (blind || busy.contains(&name)).then(|| house.now());
            house.store.set_work(record.id, since).await.unwrap();
        }
    }
    Answer::Silent
}

/// After a crash: what was active a moment ago was interrupted.
async fn recently_active(house: &mut House, step: &Step) -> Answer {
    let age = Span::seconds(step.max_age_seconds.unwrap_or(120));
    let mut marked = 0;
    for name in house.sources.keys().cloned().collect::<Vec<_>>() {
        if let Some(record) = house.spoken(&name).await
            && record.standing.mark.is_none()
            && record.standing.active_at >= house.now() - age
        {
            let why = Interrupted::RestartInterrupted;
            let done = house.store.mark_resume(record.id, why).await.unwrap();
            marked += usize::from(done == Change::Done);
        }
    }
    Answer::Plain(json!(marked))
}

async fn list(house: &mut House, step: &Step) -> Answer {
    let mut found: Vec<Record> = Vec::new();
    for name in house.sources.keys().cloned().collect::<Vec<_>>() {
        if let Some(record) = house.spoken(&name).await
            && found.iter().all(|other| other.id != record.id)
        {
            found.push(record);
        }
    }
    let now = house.now();
    found.retain(|record| match step.active_minutes {
        Some(minutes) => record.standing.active_at >= now - Span::minutes(minutes),
        None => true,
    });
    found.sort_by_key(|record| (std::cmp::Reverse(record.standing.active_at), record.id));
    Answer::Sessions(found.iter().map(|record| record.id).collect())
}
