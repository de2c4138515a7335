//! The tools of one turn, as a value: what a model is shown, and what a call may reach.
//!
//! Both are one list, so a tool that is not shown cannot be called. The list is made once for each choice
//! (`shelf`) and shared by all turns with that choice.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use angelia_core::limits;
use angelia_core::nearest::nearest;
use angelia_core::recovery::EffectClass;
use angelia_core::toolset::Choice;
use serde_json::Value;

use super::fit;
use super::form::Form;
use super::shelf::Shelf;
use super::source::ToolSource;

/// What a tool is, in words for a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// The name to call it by.
    pub name: Cow<'static, str>,
    /// What it is for.
    pub description: Cow<'static, str>,
    /// Its arguments as a JSON schema.
    pub parameters: Value,
}

impl Schema {
    fn bytes(&self) -> usize {
        self.description.len() + self.parameters.to_string().len()
    }
}

/// Who makes a call.
#[derive(Debug, Clone)]
pub(super) enum Maker {
    /// The house: the form by which a call is read.
    House(&'static Form),
    /// Somebody else.
    Elsewhere(Elsewhere),
}

/// A tool that comes from elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Elsewhere {
    /// Where from.
    pub(super) source: Arc<dyn ToolSource>,
    /// Its name there.
    pub(super) tool: String,
    /// What a crash in the middle of a call means for it.
    pub(super) effect: EffectClass,
}

/// The tools of one turn. A clone is the same list.
#[derive(Debug, Clone)]
pub struct Toolset {
    schemas: Arc<[Schema]>,
    /// One for each schema, in their order.
    makers: Arc<[Maker]>,
    /// What the schemas take as JSON, about.
    bytes: usize,
    left_out: usize,
}

impl Toolset {
    /// The first of these tools, as many as a request may have.
    pub(super) fn new(tools: impl IntoIterator<Item = (Schema, Maker)>) -> Self {
        let mut tools = tools.into_iter();
        let first = tools.by_ref().take(limits::TOOLSET_MAX);
        let (schemas, makers): (Vec<_>, Vec<_>) = first.unzip();
        Self {
            bytes: schemas.iter().map(Schema::bytes).sum(),
            schemas: schemas.into(),
            makers: makers.into(),
            left_out: tools.count(),
        }
    }

    /// How many tools are not among them because they would be too many.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    /// How many bytes a model reads of them, about.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The tools and what they take. The toolbox accepts exactly this.
    #[must_use]
    pub fn schemas(&self) -> &Arc<[Schema]> {
        &self.schemas
    }

    /// Who makes a call of the tool of this name.
    pub(super) fn maker(&self, name: &str) -> Option<&Maker> {
        let place = self.schemas.iter().position(|schema| schema.name == name)?;
        self.makers.get(place)
    }

    /// Whether the tool of the house of this name is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        matches!(self.maker(name), Some(Maker::House(_)))
    }

    /// What is said of a tool that is not there.
    pub(super) fn no_tool(&self, name: &str) -> String {
        let shown: String = name.chars().take(fit::TOOL_CHARS_MAX).collect();
        let names = || self.schemas.iter().map(|schema| schema.name.as_ref());
        let near = nearest(&shown, names()).map(|near| format!("; did you mean `{near}`?"));
        let all = || match self.schemas.is_empty() {
            true => "; there are none here".to_owned(),
            false => format!("; there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        format!("there is no tool `{shown}`{}", near.unwrap_or_else(all))
    }
}

/// All tools of the house, and none from elsewhere.
impl Default for Toolset {
    fn default() -> Self {
        static HOUSE: LazyLock<Toolset> =
            LazyLock::new(|| Shelf::default().set(&Choice::default()));
        HOUSE.clone()
    }
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
