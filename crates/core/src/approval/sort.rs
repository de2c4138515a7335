//! What somebody is asked to agree to, as it is called in the question.
//!
//! Most questions are about commands. An agent with tools of its own says of what kind a call is; that is its word and
//! no proof, so it chooses the words around what is shown and nothing else.

/// What would be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// A command runs.
    #[default]
    Command,
    /// Something is read.
    Read,
    /// A file is changed.
    Edit,
    /// A file is moved.
    Move,
    /// Something is deleted.
    Delete,
    /// Something is looked for.
    Search,
    /// Something is fetched from elsewhere.
    Fetch,
    /// Something of which no more is known.
    Other,
}

/// What is said of a deed besides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verbs {
    /// "It … in this place".
    pub(super) does: &'static str,
    /// What stands before what does it.
    pub(super) by: &'static str,
    /// "… it this once", for whoever agrees.
    pub(super) agreed: &'static str,
    /// "It is not …" if nobody does.
    pub(super) left: &'static str,
}

impl Sort {
    /// What an agent of its own calls this kind of tool.
    pub fn of_kind(kind: &str) -> Self {
        match kind {
            "execute" => Self::Command,
            "read" => Self::Read,
            "edit" => Self::Edit,
            "move" => Self::Move,
            "delete" => Self::Delete,
            "search" => Self::Search,
            "fetch" => Self::Fetch,
            _ => Self::Other,
        }
    }

    /// What the agent wants, before what is shown.
    pub(super) const fn wish(self) -> &'static str {
        match self {
            Self::Command => "I want to run a command that needs your approval:",
            Self::Read => "I want to read something, which needs your approval:",
            Self::Edit => "I want to change a file, which needs your approval:",
            Self::Move => "I want to move a file, which needs your approval:",
            Self::Delete => "I want to delete something, which needs your approval:",
            Self::Search => "I want to search for something, which needs your approval:",
            Self::Fetch => "I want to fetch something, which needs your approval:",
            Self::Other => "I want to do something that needs your approval:",
        }
    }

    /// What is said of it besides.
    pub(super) const fn verbs(self) -> Verbs {
        match self {
            Self::Command => Verbs {
                does: "runs",
                by: "on",
                agreed: "run",
                left: "run",
            },
            Self::Read
            | Self::Edit
            | Self::Move
            | Self::Delete
            | Self::Search
            | Self::Fetch
            | Self::Other => Verbs {
                does: "is done",
                by: "by",
                agreed: "do",
                left: "done",
            },
        }
    }
}
