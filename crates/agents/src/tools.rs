//! What an agent may use besides words: the toolbox.
//!
//! A tool is called by name with JSON, and answers with JSON, whatever kind of agent calls it:
//!
//! ```text
//! call → journal: finished before?      the recorded result, and nothing is done
//!      → form: the arguments allowed?   a result that says what is wrong
//!      → checks, and consent            a refusal is a result like any other
//!      → journal: begun                 durable before anything happens
//!      → done                           by `terminal`, by `Background::act`, or elsewhere
//!      → journal: finished              durable before the agent is told
//! ```
//!
//! A call found begun is made again or given up by its effect class, so a turn that is run again never
//! does twice what may be done once. Consent comes before the beginning is written down: a question
//! that was open when the gateway stopped is put again, and the very call goes on.
//!
//! Which tools a turn has is a value (`set`), picked from all that there are (`shelf`). A tool that comes from
//! elsewhere (`source`) is called as every other; its own side checks its arguments.
//!
//! The toolbox keeps one thing between calls, the directory that commands run in, and that is in the
//! journal too. Names of calls are the agent's: the same whenever a turn is run again, and each used once.

pub mod answer;
mod ask_user;
mod directory;
pub mod files;
mod fit;
mod form;
mod meant;
mod process;
mod session_search;
pub mod set;
pub mod shelf;
pub mod source;
mod terminal;
pub mod terms;
mod todo;
mod typed;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::media::Picture;
use angelia_core::recovery::{self, CallRecovery, EffectClass};
use angelia_core::turn::journal::{self, Progress, Step};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::Input;
use crate::consent::Inquiry;
use crate::events::{Ended, Events};
use crate::past::Find;
use files::Workspace;
use form::Form;
use process::Ask;
use set::{Elsewhere, Maker};
use source::Fetched;
use terminal::Settled;

/// All tools of the house.
const HOUSE: [&Form; 10] = [
    &terminal::FORM,
    &process::FORM,
    &files::READ,
    &files::WRITE,
    &files::EDIT,
    &files::LIST,
    &files::SEARCH,
    &todo::FORM,
    &session_search::FORM,
    &ask_user::FORM,
];

/// How many these are.
pub(crate) const HOUSE_TOOLS: usize = HOUSE.len();

/// The names of all tools of the house and of their families.
pub fn names() -> impl Iterator<Item = &'static str> {
    HOUSE.into_iter().flat_map(|form| [form.name, form.family])
}

/// What is said of a call that began and was not seen to end.
const UNKNOWN: &str = "the outcome of this call is not known: the gateway stopped while it was under way, so what \
                       it was to do may be done or not; look before you do it again";

/// What is added where it was a command: it is a process of its own, which may outlive whoever started it.
const PERHAPS_RUNNING: &str = ". The command may also be running still: look with `ps -ef`";

/// The tools of one turn.
#[derive(Debug)]
pub struct Toolbox<'a> {
    input: &'a Input,
    events: &'a Events,
    /// Where commands run; what the journal says, or where the last command left off.
    directory: Mutex<Option<PathBuf>>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The answer.
    pub told: Value,
    /// The pictures that belong to it, kept already.
    pub pictures: Vec<Picture>,
}

impl From<Value> for Made {
    fn from(told: Value) -> Self {
        Self {
            told,
            pictures: Vec::new(),
        }
    }
}

/// Something that was asked for, checked, and may be done.
#[derive(Debug)]
enum Deed {
    Run(Box<Settled>),
    Act(Box<Ask>),
    Files(Arc<Workspace>, Box<files::Act>),
    Tasks(todo::Ask),
    Look(Find),
    Ask(Inquiry),
    /// Somebody else does it.
    Elsewhere(Elsewhere, Value),
    /// Nothing: this is why.
    Refused(Value),
}

impl Deed {
    fn effect(&self) -> EffectClass {
        match self {
            Self::Run(settled) => settled.order.effect(),
            Self::Act(ask) => process::effect(&ask.act),
            Self::Files(_, act) => act.effect(),
            Self::Tasks(todo::Ask::Show) | Self::Look(_) => EffectClass::Pure,
            Self::Tasks(todo::Ask::Tell(..)) | Self::Ask(_) => EffectClass::Keyed,
            Self::Elsewhere(tool, _) => tool.effect,
            Self::Refused(_) => EffectClass::Pure,
        }
    }

    /// Adds to the recorded arguments what a repeated call must know of this one.
    fn note(&self, noted: &mut Value) {
        if let Self::Files(_, act) = self {
            act.note(noted);
        }
    }
}

impl<'a> Toolbox<'a> {
    /// The tools of the turn that `input` is about.
    pub fn new(input: &'a Input, events: &'a Events) -> Self {
        let moved = directory::recorded(&input.journal);
        let directory = Mutex::new(moved.or_else(|| input.context.directory.clone()));
        Self {
            input,
            events,
            directory,
        }
    }

    /// Calls a tool, unless the journal says what came of the call before. Whatever goes wrong is a
    /// result too; only the end of the turn is none.
    pub async fn call(&self, call: &str, tool: &str, arguments: Value) -> Result<Value, Ended> {
        self.make(call, tool, arguments).await.map(|made| made.told)
    }

    /// The same, with the pictures that came of it.
    pub async fn make(&self, call: &str, tool: &str, arguments: Value) -> Result<Made, Ended> {
        let progress = journal::progress(&self.input.journal, call);
        let begun = match progress {
            Progress::Finished(output) => {
                return Ok(Made {
                    told: recorded(output),
                    pictures: journal::pictures(&self.input.journal, call),
                });
            }
            Progress::Begun(effect) => {
                if recovery::call(effect) == CallRecovery::TellUnknown {
                    return self.finish(call, unknown(tool).into()).await;
                }
                true
            }
            Progress::Unbegun => false,
        };
        let maker = self.input.terms.tools.maker(tool);
        let mut noted = fit::noted(maker, &arguments, &self.input.terms.masker);
        let deed = match self.granted_before(call, &arguments) {
            true => self.again(call, tool, arguments).await?,
            false => self.deed(call, tool, arguments).await?,
        };
        if !begun {
            deed.note(&mut noted);
            let step = Step::ToolBegun {
                call: call.to_owned(),
                tool: tool.chars().take(fit::TOOL_CHARS_MAX).collect(),
                arguments: noted,
                effect: deed.effect(),
            };
            self.events.record(step).await?;
        }
        let result = self.done(call, deed).await?;
        self.finish(call, result).await
    }

    /// What is asked for, once it is known to be allowed.
    async fn deed(&self, call: &str, tool: &str, arguments: Value) -> Result<Deed, Ended> {
        if fit::is_too_long(&arguments) {
            return Ok(Deed::Refused(json!({ "error": fit::TOO_LONG })));
        }
        let form = match self.input.terms.tools.maker(tool) {
            Some(Maker::House(form)) => form,
            Some(Maker::Elsewhere(found)) => return Ok(elsewhere(found, arguments)),
            None => {
                let why = self.input.terms.tools.no_tool(tool);
                return Ok(Deed::Refused(json!({ "error": why })));
            }
        };
        if form.name == terminal::FORM.name {
            return match terminal::order(arguments, self.input.terms.time) {
                Ok(order) => self.allowed(call, order).await,
                Err(why) => Ok(Deed::Refused(why)),
            };
        }
        if form.family == files::READ.family {
            return Ok(self.on_files(call, form, arguments).await);
        }
        let given = match form.read(arguments) {
            Ok(given) => given,
            Err(why) => return Ok(Deed::Refused(json!({ "error": why }))),
        };
        match form.family {
            "todo" => Ok(Deed::Tasks(todo::ask(&given))),
            "ask_user" => Ok(match ask_user::inquiry(call, &given) {
                Ok(inquiry) => Deed::Ask(inquiry),
                Err(why) => Deed::Refused(json!({ "error": why })),
            }),
            "session_search" => Ok(Deed::Look(session_search::find(&given))),
            // There is no other tool of the house.
            _ => match process::ask(&given, self.input.terms.time) {
                Ok(ask) => self.typed(call, ask).await,
                Err(why) => Ok(Deed::Refused(why)),
            },
        }
    }

    /// Whether these very words passed all checks before: what they began may run by now, and whoever
    /// says no today would say it of something that is done. Arguments that were not recorded as they
    /// were said are checked again.
    fn granted_before(&self, call: &str, arguments: &Value) -> bool {
        let is_this = |step: &Step| {
            matches!(step, Step::ToolBegun { call: begun, arguments: before, effect, .. }
                if begun == call && before == arguments && *effect == EffectClass::Keyed)
        };
        let mut steps = self.input.journal.iter();
        steps.any(|recorded| is_this(&recorded.step))
    }

    /// What was begun before, once more. Only a start is asked about, so all else is the same as ever.
    async fn again(&self, call: &str, tool: &str, arguments: Value) -> Result<Deed, Ended> {
        if tool != terminal::FORM.name {
            return self.deed(call, tool, arguments).await;
        }
        let order = terminal::order(arguments, self.input.terms.time);
        Ok(order.map_or_else(Deed::Refused, |order| self.settled(order)))
    }

    async fn done(&self, call: &str, deed: Deed) -> Result<Made, Ended> {
        let told = match deed {
            Deed::Run(settled) => self.run(call, *settled).await?,
            Deed::Act(ask) => {
                let acted = self.input.background.act(ask.act).await?;
                answer::of(&acted, &ask.id, ask.patience.as_ref())
            }
            Deed::Files(workspace, act) => {
                let done = self.with_files(call, workspace, *act).await;
                return Ok(self.brought(done).await);
            }
            Deed::Tasks(ask) => self.tasks(ask).await?,
            Deed::Ask(inquiry) => self.asked(inquiry).await?,
            Deed::Look(find) => self.looked_for(find).await,
            Deed::Elsewhere(tool, arguments) => {
                let fetched = self.fetched(&tool, arguments).await;
                return Ok(self.brought(fetched).await);
            }
            Deed::Refused(why) => why,
        };
        Ok(told.into())
    }

    /// Keeps the pictures of a result; what cannot be kept is said in it.
    async fn brought(&self, fetched: Fetched) -> Made {
        let Fetched { mut told, pictures } = fetched;
        let mut kept = Vec::new();
        for (place, brought) in pictures.into_iter().enumerate() {
            let room = match place < limits::PICTURES_PER_RESULT {
                true => Ok(()),
                false => Err("it came with too many others".to_owned()),
            };
            let (bytes, name) = (brought.bytes, brought.name);
            let picture = match room {
                Ok(()) => self.input.pictures.keep(bytes, name.as_deref()).await,
                Err(why) => Err(why),
            };
            match picture {
                Ok(picture) => kept.push(picture),
                Err(why) => told["picture_not_shown"] = why.into(),
            }
        }
        if !kept.is_empty() {
            told["pictures"] = json!(kept);
        }
        Made {
            told,
            pictures: kept,
        }
    }

    /// What somebody else answered, without secrets. Dropping this tells them that nobody waits any more.
    async fn fetched(&self, called: &Elsewhere, arguments: Value) -> Fetched {
        let stop = CancellationToken::new();
        let _told_when_dropped = stop.clone().drop_guard();
        let Elsewhere { source, tool, .. } = called;
        let answer = source.call(tool, arguments, stop).await;
        Fetched {
            told: fit::masked(answer.told, (&self.input.terms.masker, Surface::Output)),
            ..answer
        }
    }

    async fn finish(&self, call: &str, made: Made) -> Result<Made, Ended> {
        let told = fit::bounded(made.told);
        let step = Step::ToolFinished {
            call: call.to_owned(),
            output: told.to_string(),
            pictures: made.pictures.clone(),
        };
        self.events.record(step).await?;
        Ok(Made { told, ..made })
    }

    /// Where commands run now.
    fn directory(&self) -> Option<PathBuf> {
        let directory = self.directory.lock();
        directory.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets commands run elsewhere from now on, also in later turns.
    async fn moved(&self, to: PathBuf) -> Result<(), Ended> {
        let Some(directory) = to.to_str().map(str::to_owned) else {
            return Ok(());
        };
        if self.directory().as_ref() == Some(&to) {
            return Ok(());
        }
        self.events.record(Step::Moved { directory }).await?;
        *self
            .directory
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(to);
        Ok(())
    }
}

/// A result as it was written down.
fn recorded(output: String) -> Value {
    serde_json::from_str(&output).unwrap_or(Value::String(output))
}

fn unknown(tool: &str) -> Value {
    let more = match tool == terminal::FORM.name {
        true => PERHAPS_RUNNING,
        false => "",
    };
    let error = format!("{UNKNOWN}{more}");
    json!({ "output": "", "exit_code": -1, "status": "unknown", "error": error })
}

/// A call for somebody else, who takes nothing but objects; nothing at all is an empty one.
fn elsewhere(found: &Elsewhere, arguments: Value) -> Deed {
    match arguments {
        Value::Null => Deed::Elsewhere(found.clone(), json!({})),
        Value::Object(_) => Deed::Elsewhere(found.clone(), arguments),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            let why = "the arguments of a tool must be a JSON object";
            Deed::Refused(json!({ "error": why }))
        }
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
