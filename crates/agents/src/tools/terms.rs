//! What the operator chose about tools, handed to every turn.

use std::sync::Arc;

use angelia_core::context::workspace::{self, Commands, Files};
use angelia_core::danger::gate::Rules;
use angelia_core::limits;
use angelia_core::mask::Masker;
use angelia_core::time::Span;
use angelia_core::toolset::{Policies, Role};
use angelia_process::environment::Passed;
use angelia_process::target::Target;

use super::files::{self, Workspace};
use super::set::Toolset;
use super::shelf::Shelf;
use super::{HOUSE, terminal};
use crate::mcp::Servers;

/// What the operator chose about tools.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Knows the secrets that no result may show.
    pub masker: Arc<Masker>,
    /// Which commands never run, and which run without a question.
    pub rules: Arc<Rules>,
    /// How long a command may take, and anybody wait for a process, unless a call says otherwise.
    pub time: Span,
    /// Variables of the gateway that commands may see, besides the harmless ones.
    pub passed: Passed,
    /// Where files may be reached, if anywhere.
    pub workspace: Option<Arc<Workspace>>,
    /// All tools of the house and from elsewhere.
    pub shelf: Arc<Shelf>,
    /// Which of them are there, by place and by role.
    pub policies: Arc<Policies>,
    /// Those of them that the turn may use.
    pub tools: Toolset,
    /// The servers that some of them come from.
    pub servers: Servers,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            masker: Arc::default(),
            rules: Arc::default(),
            time: limits::TOOL_TIME,
            passed: Passed::default(),
            workspace: None,
            shelf: Arc::default(),
            policies: Arc::default(),
            tools: Toolset::default(),
            servers: Servers::default(),
        }
    }
}

impl Terms {
    /// The tools of a turn, by the names of its platform and its kind of chat, and by whose it is.
    #[must_use]
    pub fn tools_at(&self, platform: &str, chat_kind: &str, role: Role) -> Toolset {
        let choice = self.policies.choose(platform, chat_kind, role);
        self.shelf.set(&choice)
    }

    /// What a model is told of where its files are and where its commands begin, if its tools reach that.
    pub(crate) fn place_of_work(&self, target: &Target) -> Option<String> {
        let root = self.workspace.as_ref()?.root().to_string_lossy();
        let is_there = |family| {
            let mut house = HOUSE.iter().filter(|form| form.family == family);
            house.any(|form| self.tools.has(form.name))
        };
        let files = match is_there(files::READ.family) {
            true => Files::Reached,
            false => Files::Missing,
        };
        let commands = match is_there(terminal::FORM.family) {
            true if target.is_local() => Commands::Here,
            true => Commands::Elsewhere,
            false => Commands::Missing,
        };
        workspace::line(&root, files, commands)
    }
}
