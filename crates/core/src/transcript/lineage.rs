//! Which session came from which.
//!
//! Every link says what it is, so nothing is guessed from reasons or markers:
//!
//! ```text
//! Continuation   the same conversation goes on from a summary
//! Branch         someone went on from here on another way
//! Delegate       a helper's run, on behalf of its parent
//! Parent         came from there, no more is known
//! ```
//!
//! There is one answer to "where does this conversation go on": [`Lineage::tip`] follows the best
//! continuation; export, list and resume all build on it, so none of them can show another one. Data
//! may be wrong: links to unknown sessions end a walk, and a walk around a circle ends at the same
//! session wherever it began.
//!
//! It does not load rows and does not decide who may see them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ending::{Life, Reason};
use crate::id::SessionId;
use crate::time::Timestamp;

/// What a link to a parent means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It came from there.
    Parent,
    /// It is the same conversation, going on.
    Continuation,
    /// It went another way from there.
    Branch,
    /// It works on behalf of it.
    Delegate,
}

/// Where a session came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The session before it.
    pub parent: SessionId,
    /// In what way.
    pub kind: Kind,
}

/// What a walk needs to know of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The session.
    pub id: SessionId,
    /// Where it came from.
    pub link: Option<Link>,
    /// When it began.
    pub started_at: Timestamp,
    /// When something was said last; nothing if nothing was.
    pub last_message_at: Option<Timestamp>,
    /// Whether it goes on.
    pub life: Life,
}

/// A line of a list: a conversation by its newest session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// The session to show.
    pub shown: SessionId,
    /// The one that the conversation began with.
    pub root: SessionId,
}

/// Sessions and the links between them.
#[derive(Debug, Clone, Default)]
pub struct Lineage {
    nodes: BTreeMap<SessionId, Node>,
    children: BTreeMap<SessionId, Vec<Node>>,
}

impl FromIterator<Node> for Lineage {
    fn from_iter<I: IntoIterator<Item = Node>>(nodes: I) -> Self {
        let mut lineage = Self::default();
        for node in nodes {
            lineage.nodes.insert(node.id, node);
        }
        for node in lineage.nodes.values() {
            if let Some(link) = node.link {
                lineage.children.entry(link.parent).or_default().push(*node);
            }
        }
        lineage
    }
}

impl Lineage {
    /// The newest session of the conversation that goes on from here: itself if none does.
    pub fn tip(&self, from: SessionId) -> SessionId {
        // Of a circle it is the largest id, so that every session of it has the same tip.
        self.walk(from, |id| self.continuation(id))
            .end(|circle| circle.iter().max())
    }

    /// The session that all of this came from, in whatever way.
    pub fn root(&self, from: SessionId) -> SessionId {
        self.walk(from, |id| self.parent(id))
            .end(|circle| circle.iter().min())
    }

    /// The session in which a person who resumes this one should find themselves: the tip, or the
    /// farthest plain child of it in which something was said.
    pub fn resume_target(&self, from: SessionId) -> SessionId {
        let tip = self.tip(from);
        let walk = self.walk(tip, |id| self.onward(id));
        let mut deepest_first = walk.path.iter().rev();
        deepest_first
            .find(|id| self.has_messages(**id))
            .copied()
            .unwrap_or(tip)
    }

    /// All sessions of the conversation to which this one belongs, in order, for an export: what it
    /// continues, itself, and what continues it.
    pub fn conversation(&self, from: SessionId) -> Vec<SessionId> {
        let mut path = self.walk(from, |id| self.continued(id)).path;
        path.reverse();
        let onward = self.walk(from, |id| self.continuation(id)).path;
        let seen: BTreeSet<SessionId> = path.iter().copied().collect();
        // In a circle what comes after is what came before: it is told once.
        let new = onward.into_iter().skip(1);
        path.extend(new.take_while(|id| !seen.contains(id)));
        path
    }

    /// Whether `later` is the same conversation as `earlier`, further on.
    pub fn continues(&self, later: SessionId, earlier: SessionId) -> bool {
        let path = self.walk(later, |id| self.continued(id)).path;
        path.iter().skip(1).any(|id| *id == earlier)
    }

    /// The conversations that a list shows, the newest beginning first: those that came from nowhere
    /// and branches, each by its newest session.
    pub fn listed(&self) -> Vec<Listed> {
        let mut roots: Vec<&Node> = self
            .nodes
            .values()
            .filter(|node| self.is_listed(node))
            .collect();
        roots.sort_by_key(|node| std::cmp::Reverse((node.started_at, node.id)));
        let lines = roots.into_iter().map(|node| Listed {
            shown: self.tip(node.id),
            root: node.id,
        });
        lines.collect()
    }

    fn is_listed(&self, node: &Node) -> bool {
        match node
            .link
            .map(|link| (link.kind, self.nodes.get(&link.parent)))
        {
            None | Some((Kind::Branch, _) | (Kind::Parent | Kind::Continuation, None)) => true,
            Some((Kind::Delegate, _) | (Kind::Parent | Kind::Continuation, Some(_))) => false,
        }
    }

    fn has_messages(&self, id: SessionId) -> bool {
        let node = self.nodes.get(&id);
        node.is_some_and(|node| node.last_message_at.is_some())
    }

    fn parent(&self, id: SessionId) -> Option<SessionId> {
        let parent = self.nodes.get(&id)?.link?.parent;
        self.nodes.contains_key(&parent).then_some(parent)
    }

    /// The session that this one continues.
    fn continued(&self, id: SessionId) -> Option<SessionId> {
        let link = self.nodes.get(&id)?.link?;
        let known = self.nodes.contains_key(&link.parent);
        (link.kind == Kind::Continuation && known).then_some(link.parent)
    }

    /// The session that continues this one. If a crash left several, it is the one that went on itself,
    /// else one that is live, else any; among equals the one in which something was said last.
    fn continuation(&self, id: SessionId) -> Option<SessionId> {
        let best = self.children_of(id, Kind::Continuation).max_by_key(|node| {
            (
                standing(node.life),
                node.last_message_at,
                node.started_at,
                node.id,
            )
        });
        best.map(|node| node.id)
    }

    fn onward(&self, id: SessionId) -> Option<SessionId> {
        self.continuation(id).or_else(|| {
            let plain = self.children_of(id, Kind::Parent);
            plain
                .max_by_key(|node| (node.started_at, node.id))
                .map(|node| node.id)
        })
    }

    fn children_of(&self, id: SessionId, kind: Kind) -> impl Iterator<Item = &Node> {
        let children = self.children.get(&id).map_or(&[][..], Vec::as_slice);
        let is_kind = move |node: &&Node| node.link.is_some_and(|link| link.kind == kind);
        children.iter().filter(is_kind)
    }

    /// Goes step by step until there is no next session or it has been there already.
    fn walk(&self, from: SessionId, next: impl Fn(SessionId) -> Option<SessionId>) -> Walk {
        let mut path = vec![from];
        let mut seen = BTreeSet::from([from]);
        let mut at = from;
        while let Some(to) = next(at) {
            if !seen.insert(to) {
                let circle = path.iter().position(|id| *id == to);
                return Walk { path, circle };
            }
            path.push(to);
            at = to;
        }
        Walk { path, circle: None }
    }
}

/// The sessions of a walk, and the place from which they repeat, if they do.
struct Walk {
    path: Vec<SessionId>,
    circle: Option<usize>,
}

impl Walk {
    /// The last session; of a circle the chosen one.
    fn end(&self, choose: fn(&[SessionId]) -> Option<&SessionId>) -> SessionId {
        let end = match self.circle {
            None => self.path.last(),
            Some(start) => choose(&self.path[start..]),
        };
        *end.expect("a walk has at least the session that it began with")
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Closed,
    Live,
    WentOn,
}

fn standing(life: Life) -> Standing {
    match life {
        Life::Ended(Reason::Compression) => Standing::WentOn,
        Life::Live => Standing::Live,
        Life::Ended(_) => Standing::Closed,
    }
}

#[cfg(test)]
#[path = "lineage_tests.rs"]
mod tests;
