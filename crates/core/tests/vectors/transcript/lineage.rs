//! Sessions that came from each other, and how they ended.

use std::collections::BTreeMap;

use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use angelia_core::transcript::ending::{Life, Promotion, Reason};
use angelia_core::transcript::lineage::{Kind, Lineage, Link, Node};
use serde::Deserialize;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    nodes: Vec<Session>,
    each_node_has_a_message: bool,
    #[serde(flatten)]
    asked: Asked,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Asked {
    Walks(Walks),
    List { listed: Vec<Line> },
}

#[derive(Deserialize)]
struct Walks {
    session: String,
    compression_tip: String,
    conversation_root: String,
    resume_target: String,
    compression_lineage: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Line {
    shown_id: String,
    root: Option<String>,
}

#[derive(Deserialize)]
struct Session {
    id: String,
    parent: Option<String>,
    end_reason: Option<String>,
    markers: BTreeMap<String, String>,
}

impl Case {
    fn number(&self, name: &str) -> SessionId {
        let place = self.nodes.iter().position(|node| node.id == name);
        let place = place.unwrap_or_else(|| panic!("{}: no session {name}", self.id));
        SessionId::from_bits(place as u128)
    }

    fn session(&self, name: &str) -> &Session {
        let found = self.nodes.iter().find(|node| node.id == name);
        found.unwrap_or_else(|| panic!("{}: no session {name}", self.id))
    }

    fn name(&self, id: SessionId) -> String {
        let place = usize::try_from(id.bits()).expect("an id is a place in the case");
        self.nodes[place].id.clone()
    }

    /// What the reference would have to guess from markers and end reasons.
    fn kind(&self, child: &Session) -> Kind {
        let parent = self
            .nodes
            .iter()
            .find(|node| child.parent.as_ref() == Some(&node.id));
        let ended = parent.and_then(|parent| parent.end_reason.as_deref());
        if child.markers.contains_key("_delegate_from") {
            Kind::Delegate
        } else if child.markers.contains_key("_branched_from") {
            Kind::Branch
        } else if ended == Some("compression") {
            Kind::Continuation
        } else {
            Kind::Parent
        }
    }

    fn node(&self, place: usize) -> Node {
        let session = &self.nodes[place];
        let started_at = Timestamp::from_ms(60_000 * place as i64);
        Node {
            id: self.number(&session.id),
            link: session.parent.as_ref().map(|parent| Link {
                parent: self.number(parent),
                kind: self.kind(session),
            }),
            started_at,
            last_message_at: self.each_node_has_a_message.then_some(started_at),
            life: life(session.end_reason.as_deref().unwrap_or("live")),
        }
    }

    fn lineage(&self) -> Lineage {
        (0..self.nodes.len())
            .map(|place| self.node(place))
            .collect()
    }

    /// Hazard 24: an export is one conversation from its beginning to the tip that the reference itself
    /// names, over continuations only.
    fn is_whole(&self, path: &[String], walks: &Walks) -> bool {
        let continues = |name: &String| {
            let node = self.session(name);
            node.parent
                .clone()
                .filter(|_| self.kind(node) == Kind::Continuation)
        };
        let linked = path
            .windows(2)
            .all(|pair| continues(&pair[1]).as_ref() == Some(&pair[0]));
        let begins = path.first().is_some_and(|first| continues(first).is_none());
        linked
            && begins
            && path.contains(&walks.session)
            && path.last() == Some(&walks.compression_tip)
    }
}

fn life(state: &str) -> Life {
    match state {
        "live" => Life::Live,
        reason => Life::Ended(reason.parse().unwrap_or_else(|why| panic!("{why}"))),
    }
}

#[test]
fn walks_end_where_the_reference_s_end_and_an_export_is_one_whole_conversation() {
    let (mut same, mut whole) = (0, 0);
    for case in cases::<Case>("sessions/lineage.json") {
        let Asked::Walks(walks) = &case.asked else {
            continue;
        };
        let (lineage, from) = (case.lineage(), case.number(&walks.session));
        assert_eq!(
            case.name(lineage.tip(from)),
            walks.compression_tip,
            "{}",
            case.id
        );
        assert_eq!(
            case.name(lineage.root(from)),
            walks.conversation_root,
            "{}",
            case.id
        );
        assert_eq!(
            case.name(lineage.resume_target(from)),
            walks.resume_target,
            "{}",
            case.id
        );
        let path: Vec<String> = lineage
            .conversation(from)
            .into_iter()
            .map(|id| case.name(id))
            .collect();
        assert!(case.is_whole(&path, walks), "{}: {path:?}", case.id);
        if path == walks.compression_lineage {
            same += 1;
        } else {
            assert!(
                !case.is_whole(&walks.compression_lineage, walks),
                "{}: {path:?}",
                case.id
            );
            whole += 1;
        }
    }
    eprintln!("exports: {same} the same, {whole} where the reference's is not one conversation");
}

#[test]
fn lists_show_the_reference_s_sessions() {
    for case in cases::<Case>("sessions/lineage.json") {
        let Asked::List { listed } = &case.asked else {
            continue;
        };
        let ours = case.lineage().listed().into_iter().map(|line| Line {
            shown_id: case.name(line.shown),
            root: (line.root != line.shown).then(|| case.name(line.root)),
        });
        assert_eq!(&ours.collect::<Vec<_>>(), listed, "{}", case.id);
    }
}

#[derive(Deserialize)]
struct End {
    id: String,
    state_before: String,
    operation: String,
    reason: Option<Reason>,
    state_after: String,
    promoted: Option<bool>,
}

#[test]
fn reasons_to_end_win_and_lose_as_in_the_reference() {
    for case in cases::<End>("sessions/end_reasons.json") {
        let before = life(&case.state_before);
        let reason = || {
            case.reason
                .unwrap_or_else(|| panic!("{}: no reason", case.id))
        };
        let (after, promoted) = match case.operation.as_str() {
            "end" => (before.end(reason()), None),
            "reopen" => (before.reopen(), None),
            "promote" => {
                let promotion = before.promote(reason());
                (
                    promotion.into(),
                    Some(matches!(promotion, Promotion::Took(_))),
                )
            }
            other => panic!("{}: {other} is not known here", case.id),
        };
        assert_eq!(after, life(&case.state_after), "{}", case.id);
        assert_eq!(promoted, case.promoted, "{}", case.id);
    }
}
