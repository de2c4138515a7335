//! Titles: cleaned, numbered, resolved, and held by one session at a time.

use std::collections::BTreeMap;

use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use angelia_core::transcript::ending::{Life, Reason};
use angelia_core::transcript::lineage::{Kind, Lineage, Link, Node};
use angelia_core::transcript::title::{self, Claim, Giver, Title, Wish};
use serde::Deserialize;

use crate::cases;

#[derive(Deserialize)]
struct Cleaned {
    id: String,
    title: Option<String>,
    cleaned: Option<String>,
    rejected: Option<String>,
}

#[test]
fn titles_are_cleaned_as_in_the_reference() {
    for case in cases::<Cleaned>("sessions/title_sanitize.json") {
        let ours = Title::clean(case.title.as_deref().unwrap_or(""));
        match case.rejected {
            Some(_) => assert!(ours.is_err(), "{}", case.id),
            None => {
                let ours = ours.unwrap_or_else(|why| panic!("{}: {why}", case.id));
                assert_eq!(
                    ours.as_ref().map(Title::as_str),
                    case.cleaned.as_deref(),
                    "{}",
                    case.id
                );
            }
        }
    }
}

#[derive(Deserialize)]
struct Numbered {
    id: String,
    existing_titles_oldest_first: Vec<String>,
    base: String,
    next_title: String,
    resolves_to_title: Option<String>,
}

fn clean(text: &str) -> Title {
    let title = Title::clean(text).unwrap_or_else(|why| panic!("{text}: {why}"));
    title.unwrap_or_else(|| panic!("{text:?} shows nothing"))
}

#[test]
fn titles_are_numbered_and_resolved_as_in_the_reference() {
    for case in cases::<Numbered>("sessions/title_lineage.json") {
        let existing: Vec<Title> = case
            .existing_titles_oldest_first
            .iter()
            .map(|text| clean(text))
            .collect();
        let base = clean(&case.base);
        let next = title::next(&base, &existing);
        assert!(!existing.contains(&next), "{}: {next} is in use", case.id);
        // A title that is too long to be set is no title: then ours only has to fit.
        if Title::clean(&case.next_title).is_ok() {
            assert_eq!(next.as_str(), case.next_title, "{}", case.id);
        } else {
            assert!(Title::clean(next.as_str()).is_ok(), "{}: {next}", case.id);
        }
        let resolved = title::resolve(&base, &existing).map(Title::as_str);
        assert_eq!(resolved, case.resolves_to_title.as_deref(), "{}", case.id);
    }
}

#[derive(Deserialize)]
struct Unique {
    id: String,
    titles_before: BTreeMap<String, String>,
    target: String,
    title: String,
    expected: Outcome,
}

#[derive(Deserialize)]
struct Outcome {
    found: Option<bool>,
    #[serde(default)]
    rejected: bool,
    titles: BTreeMap<String, Option<String>>,
}

/// The sessions that the file describes in words.
const SESSIONS: [(&str, Option<(&str, Kind)>); 6] = [
    ("a", None),
    ("b", None),
    ("p", None),
    ("child", Some(("p", Kind::Continuation))),
    ("grandchild", Some(("child", Kind::Continuation))),
    ("branch", Some(("b", Kind::Branch))),
];

fn id(name: &str) -> Option<SessionId> {
    let place = SESSIONS.iter().position(|(known, _)| *known == name)?;
    Some(SessionId::from_bits(place as u128))
}

fn lineage() -> Lineage {
    let nodes = SESSIONS.iter().map(|(name, link)| Node {
        id: id(name).expect("a session of the list has a place in it"),
        link: link.and_then(|(parent, kind)| {
            Some(Link {
                parent: id(parent)?,
                kind,
            })
        }),
        started_at: Timestamp::from_ms(0),
        last_message_at: None,
        life: if matches!(*name, "p" | "child") {
            Life::Ended(Reason::Compression)
        } else {
            Life::Live
        },
    });
    nodes.collect()
}

enum Answer {
    NoSuchSession,
    Refused,
    Done,
}

/// What setting a title does to all titles: the decision is ours, the map stands for the store.
fn set(titles: &mut BTreeMap<String, String>, target: &str, text: &str) -> Answer {
    let (Some(session), Ok(wanted)) = (id(target), Title::clean(text)) else {
        return if id(target).is_none() {
            Answer::NoSuchSession
        } else {
            Answer::Refused
        };
    };
    let Some(wanted) = wanted else {
        titles.remove(target);
        return Answer::Done;
    };
    let held = |title: &&String| title.as_str() == wanted.as_str();
    let holder = titles
        .iter()
        .find(|(_, title)| held(title))
        .map(|(name, _)| name.clone());
    let current = titles.get(target).map(|text| clean(text));
    let wish = Wish {
        giver: Giver::Person,
        session,
        current: current.as_ref(),
        holder: holder.as_deref().and_then(id),
    };
    match title::claim(&wish, &lineage()) {
        Claim::Taken(_) | Claim::Keeps => return Answer::Refused,
        Claim::MovesFrom(_) => drop(titles.remove(&holder.expect("a title moves from its holder"))),
        Claim::Set => {}
    }
    titles.insert(target.to_owned(), wanted.as_str().to_owned());
    Answer::Done
}

#[test]
fn a_title_has_one_session_as_in_the_reference() {
    for case in cases::<Unique>("sessions/title_unique.json") {
        let mut titles = case.titles_before.clone();
        let answer = set(&mut titles, &case.target, &case.title);
        let expected = (case.expected.rejected, case.expected.found);
        match answer {
            Answer::Refused => assert_eq!(expected, (true, None), "{}", case.id),
            Answer::NoSuchSession => assert_eq!(expected, (false, Some(false)), "{}", case.id),
            Answer::Done => assert_eq!(expected, (false, Some(true)), "{}", case.id),
        }
        for (name, title) in &case.expected.titles {
            assert_eq!(titles.get(name), title.as_ref(), "{}: {name}", case.id);
        }
    }
}
