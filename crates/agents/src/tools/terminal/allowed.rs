//! Whether an order may be carried out: never, after a question, or at once.
//!
//! What is dangerous is judged by `core::danger`; who is asked, and how long, is the gateway's business
//! (`Consent`). An answer that never came is a no. A yes is for the very words, in the very directory.
//!
//! What would stop the gateway itself is refused whatever anybody says: it would end its own turn, and
//! there are commands for it.

use std::path::Path;

use angelia_core::danger::gate::{Bypass, Case, Gate, Isolation, Surface};
use angelia_core::danger::{self, Category, Verdict, gate};
use angelia_core::terminal::wish::Refusal;
use angelia_core::terminal::workdir;
use serde_json::{Value, json};

use super::order::Order;
use super::spot::Settled;
use crate::consent::{Answer, Question};
use crate::events::Ended;
use crate::tools::{Deed, Toolbox};

/// What is said of a command that would end the gateway.
const OWN_END: &str = "this command would stop or restart the gateway that runs it, and so end this very \
                       turn; ask the operator to do it (`angelia service`, or a signal)";

impl Toolbox<'_> {
    /// The order as something to be done, once nothing and nobody is against it.
    pub(in crate::tools) async fn allowed(&self, call: &str, order: Order) -> Result<Deed, Ended> {
        if is_own_end(&order.command) {
            let why =
                json!({ "output": "", "exit_code": 1, "error": OWN_END, "status": "blocked" });
            return Ok(Deed::Refused(why));
        }
        let workdir = match self.spot(&order) {
            Ok(workdir) => workdir,
            Err(why) => return Ok(Deed::Refused(blocked(&why))),
        };
        let refused = match self.gate(&order, workdir.as_deref()) {
            Gate::Run(_) => None,
            Gate::Refuse(refusal) => Some(refusal.to_string()),
            Gate::Ask(question) | Gate::Consult(question) => {
                let reasons = question.categories.iter().map(|one| one.words().to_owned());
                let question = Question {
                    call: call.to_owned(),
                    command: order.command.clone(),
                    workdir: workdir.clone(),
                    backend: self.backend(),
                    reasons: reasons.chain(question.scan).collect(),
                    fingerprint: question.fingerprint,
                };
                match self.input.consent.ask(question).await? {
                    Answer::Granted(_) => None,
                    Answer::Refused(why) => Some(why),
                }
            }
        };
        if let Some(why) = refused {
            return Ok(Deed::Refused(blocked(&why)));
        }
        Ok(match bad_sign(&order) {
            None => Deed::Run(Box::new(Settled { order, workdir })),
            Some(sign) => Deed::Refused(Refusal::Workdir(sign).answer()),
        })
    }

    fn gate(&self, order: &Order, workdir: Option<&Path>) -> Gate {
        gate(&Case {
            command: &order.command,
            workdir: &self.judged_in(workdir),
            backend: &self.backend(),
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
