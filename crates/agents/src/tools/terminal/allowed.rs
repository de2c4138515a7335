//! Whether an order may be carried out: never, after a question, or at once.
//!
//! What is dangerous is judged by `core::danger`; who is asked, and how long, is the gateway's business
//! (`Consent`). An answer that never came is a no. A yes is for the very words, in the very directory.
//!
//! What would stop the gateway itself is refused whatever anybody says: it would end its own turn, and
//! there are commands for it.

use std::path::PathBuf;

use angelia_core::danger::gate::{Bypass, Case, Gate, Isolation, Surface, Typing};
use angelia_core::danger::{self, Category, Verdict, gate};
use angelia_core::process::Mode;
use angelia_core::terminal::wish::Refusal;
use angelia_core::terminal::workdir;
use angelia_process::spec::Input;
use serde_json::{Value, json};

use super::order::{Order, Place};
use super::spot::Settled;
use crate::consent::{Answer, Question, Sort};
use crate::events::Ended;
use crate::tools::{Deed, Toolbox};

/// What is said of a command that would end the gateway.
const OWN_END: &str = "this command would stop or restart the gateway that runs it, and so end this very \
                       turn; ask the operator to do it (`angelia service`, or a signal)";

/// Something that would be run, and all that somebody is told about it.
pub(in crate::tools) struct Matter<'a> {
    /// The call within the turn.
    pub(in crate::tools) call: &'a str,
    /// The words for the shell.
    pub(in crate::tools) command: &'a str,
    /// Where they would run.
    pub(in crate::tools) workdir: Option<PathBuf>,
    /// What would run them.
    pub(in crate::tools) backend: String,
    /// Whether something can be typed into it.
    pub(in crate::tools) typing: Typing,
}

impl Toolbox<'_> {
    /// The order as something to be done, once nothing and nobody is against it.
    pub(in crate::tools) async fn allowed(&self, call: &str, order: Order) -> Result<Deed, Ended> {
        let workdir = match self.spot(&order) {
            Ok(workdir) => workdir,
            Err(why) => return Ok(Deed::Refused(blocked(&why))),
        };
        let matter = Matter {
            call,
            command: &order.command,
            workdir: workdir.clone(),
            backend: self.backend(),
            typing: typing(&order.place),
        };
        if let Some(refused) = self.objection(&matter).await? {
            return Ok(Deed::Refused(refused));
        }
        Ok(match bad_sign(&order) {
            None => Deed::Run(Box::new(Settled { order, workdir })),
            Some(sign) => Deed::Refused(Refusal::Workdir(sign).answer()),
        })
    }

    /// What is said instead of running it, if something or somebody is against it.
    pub(in crate::tools) async fn objection(
        &self,
        matter: &Matter<'_>,
    ) -> Result<Option<Value>, Ended> {
        if is_own_end(matter.command) {
            let why =
                json!({ "output": "", "exit_code": 1, "error": OWN_END, "status": "blocked" });
            return Ok(Some(why));
        }
        let question = match self.gate(matter) {
            Gate::Run(_) => return Ok(None),
            Gate::Refuse(refusal) => return Ok(Some(blocked(&refusal.to_string()))),
            Gate::Ask(question) | Gate::Consult(question) => question,
        };
        let reasons = question.categories.iter().map(|one| one.words().to_owned());
        let question = Question {
            call: matter.call.to_owned(),
            sort: Sort::Command,
            command: matter.command.to_owned(),
            workdir: matter.workdir.clone(),
            backend: matter.backend.clone(),
            reasons: reasons.chain(question.scan).collect(),
            fingerprint: question.fingerprint,
        };
        Ok(match self.input.consent.ask(question).await? {
            Answer::Granted(_) => None,
            Answer::Refused(why) => Some(blocked(&why)),
        })
    }

    fn gate(&self, matter: &Matter<'_>) -> Gate {
        gate(&Case {
            command: matter.command,
            workdir: &self.judged_in(matter.workdir.as_deref()),
            typing: matter.typing,
            backend: &matter.backend,
            isolation: Isolation::None,
            surface: Surface::Person,
            rules: &self.input.terms.rules,
            bypass: Bypass::None,
            grants: &[],
            scan: &[],
            advice: None,
        })
    }
}

/// Whether anybody can type into a command that runs there.
fn typing(place: &Place) -> Typing {
    match place {
        Place::Foreground(_) => Typing::Never,
        Place::Background(going) if going.mode == Mode::Pipe && going.input == Input::Closed => {
            Typing::Never
        }
        Place::Background(_) => Typing::Later,
    }
}

fn is_own_end(command: &str) -> bool {
    match danger::judge(command) {
        Verdict::Ask(categories) => {
            let own = [Category::GatewayLifecycle, Category::KillGateway];
            categories.iter().any(|category| own.contains(category))
        }
        Verdict::Harmless | Verdict::Refused(_) => false,
    }
}

/// What stands in the directory that was asked for and may not.
fn bad_sign(order: &Order) -> Option<char> {
    let workdir = order.workdir.as_ref()?;
    workdir::check(&workdir.to_string_lossy()).err()
}

fn blocked(why: &str) -> Value {
    json!({ "output": "", "exit_code": -1, "error": why, "status": "blocked" })
}
