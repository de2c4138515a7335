//! What became of a command: run, asked about, or refused.

use angelia_core::danger::gate::{
    Advice, Bypass, Isolation, Mode, Mounts, Rules, Scheduled, SudoPassword, Surface, Typing,
};
use angelia_core::danger::refusal::Refusal;
use angelia_core::danger::reply::Keep;
use angelia_core::danger::{Case, Gate, fingerprint, gate};
use serde::Deserialize;
use serde_json::Value;

use super::{of_kind, ours};

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the vectors")]
struct Gated {
    id: String,
    command: String,
    backend: String,
    docker_host_mounts: bool,
    config: Value,
    env: Value,
    session_yolo: bool,
    platform: String,
    user_answer: Value,
    allowlist: Vec<String>,
    session_approved: Vec<String>,
    scanner: String,
    smart_verdict: Option<String>,
    #[serde(default)]
    cli_answer: Value,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    decision: Decision,
    asked_user: Vec<Asked>,
    session_approved_after: Vec<String>,
    allowlist_saved: Vec<Value>,
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the vectors")]
struct Decision {
    approved: bool,
    #[serde(default)]
    hardline: bool,
    #[serde(default)]
    user_deny: bool,
    #[serde(default)]
    approval_pending: bool,
}

#[derive(Deserialize)]
struct Asked {
    allow_permanent: bool,
    smart_denied: Option<bool>,
}

/// What we say in the end, once whoever is asked has answered.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    runs: bool,
    asked: Option<Keep>,
    /// How long a yes is kept, if there was one.
    kept: Option<Keep>,
}

impl Gated {
    fn rules(&self) -> Rules {
        let approvals = &self.config["approvals"];
        let text = |key: &str| approvals[key].as_str().unwrap_or_default();
        let texts = |value: &Value| {
            let list = value.as_array().into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let off = approvals["mode"] == Value::Bool(false);
        Rules {
            mode: if off {
                Mode::Off
            } else {
                Mode::named(text("mode"))
            },
            scheduled: match text("cron_mode") {
                "approve" => Scheduled::Approve,
                _ => Scheduled::Deny,
            },
            sudo: match self.env["SUDO_PASSWORD"].is_string() {
                true => SudoPassword::Configured,
                false => SudoPassword::None,
            },
            deny: texts(&approvals["deny"]),
            allow: self.allowlist.clone(),
        }
    }

    /// Who can be asked, by the task and not by a flag of the whole program.
    fn surface(&self) -> Surface {
        match (self.platform.is_empty(), self.is_scheduled()) {
            (false, _) => Surface::Person,
            (true, true) => Surface::Schedule,
            (true, false) if self.env.as_object().is_some_and(|env| !env.is_empty()) => {
                Surface::Person
            }
            (true, false) => Surface::Nobody,
        }
    }

    fn is_scheduled(&self) -> bool {
        self.env["HERMES_CRON_SESSION"].is_string()
    }

    /// Whether the reference ran it because its category, not the command, had been agreed to.
    fn is_agreed_by_category(&self) -> bool {
        let in_session = !self.session_approved.is_empty();
        let is_category =
            |entry: &String| *entry != self.command && !entry.contains(['*', '?', '[']);
        let listed = self.allowlist.iter().any(is_category);
        self.expect.decision.approved && self.expect.asked_user.is_empty() && (in_session || listed)
    }

    fn gate(&self, rules: &Rules, grants: &[[u8; 32]]) -> Gate {
        let mounts = if self.docker_host_mounts {
            Mounts::Host
        } else {
            Mounts::None
        };
        let scan: Vec<String> = match self.scanner.as_str() {
            "allow" => Vec::new(),
            found => vec![format!("the scanner says {found}")],
        };
        let yolo = self.session_yolo || self.env["HERMES_YOLO_MODE"].is_string();
        gate(&Case {
            command: &ours(&self.command),
            workdir: "/srv",
            typing: Typing::Never,
            backend: &self.backend,
            isolation: Isolation::of(&self.backend, mounts),
            surface: self.surface(),
            rules,
            bypass: if yolo {
                Bypass::Everything
            } else {
                Bypass::None
            },
            grants,
            scan: &scan,
            advice: match self.smart_verdict.as_deref() {
                Some("approve") => Some(Advice::Approve),
                Some("deny") => Some(Advice::Deny),
                Some(_) | None => Some(Advice::Escalate),
            },
        })
    }

    /// The answer of the person, if they said yes.
    fn yes(&self) -> Option<Keep> {
        let said = self
            .user_answer
            .as_str()
            .or_else(|| self.cli_answer.as_str())
            .or_else(|| self.user_answer["choice"].as_str());
        match said.or_else(|| self.user_answer[0].as_str())? {
            "once" => Some(Keep::Once),
            "session" => Some(Keep::Session),
            "always" => Some(Keep::Always),
            _ => None,
        }
    }

    fn outcome(&self, gate: &Gate) -> Outcome {
        match gate {
            Gate::Run(_) => Outcome {
                runs: true,
                asked: None,
                kept: None,
            },
            Gate::Refuse(_) => Outcome {
                runs: false,
                asked: None,
                kept: None,
            },
            Gate::Ask(question) => {
                let kept = self.yes().map(|wish| wish.min(question.keep));
                Outcome {
                    runs: kept.is_some(),
                    asked: Some(question.keep),
                    kept,
                }
            }
            Gate::Consult(_) => panic!("{}: the advice is there already", self.id),
        }
    }

    /// What the reference said, in the same terms.
    fn theirs(&self) -> Outcome {
        let longest = |asked: &Asked| match (asked.allow_permanent, asked.smart_denied) {
            (_, Some(true)) => Keep::Once,
            (true, _) => Keep::Always,
            (false, _) => Keep::Session,
        };
        let asked = self.expect.asked_user.first().map(longest);
        let runs = self.expect.decision.approved;
        let kept = match (
            self.expect.allowlist_saved.is_empty(),
            self.expect.session_approved_after.is_empty(),
        ) {
            (false, _) => Keep::Always,
            (true, false) => Keep::Session,
            (true, true) => Keep::Once,
        };
        Outcome {
            runs,
            asked,
            kept: (runs && asked.is_some()).then_some(kept),
        }
    }
}

#[test]
fn the_same_becomes_of_a_command_or_something_safer() {
    for case in of_kind::<Gated>("gate") {
        let rules = case.rules();
        let gate = case.gate(&rules, &[]);
        let (ours, theirs) = (case.outcome(&gate), case.theirs());
        // The vectors tell what was asked in a chat; of a question at a terminal only the answer.
        let same = ours == theirs || (case.cli_answer.is_string() && ours.runs == theirs.runs);
        assert!(
            same || differs_on_purpose(&case, &gate),
            "{}: {gate:?}",
            case.id
        );
    }
}

fn differs_on_purpose(case: &Gated, gate: &Gate) -> bool {
    match gate {
        // H-36: a yes is for one command, not for a category; given for this one, it runs.
        Gate::Ask(_) if case.is_agreed_by_category() => {
            let grant = fingerprint(&ours(&case.command), "/srv", &case.backend);
            matches!(case.gate(&case.rules(), &[grant]), Gate::Run(_))
        }
        // H-33: a flag that some schedule left behind changes nothing for a person.
        Gate::Ask(_) => {
            case.is_scheduled() && !case.platform.is_empty()
                || case.expect.decision.approval_pending
        }
        // H-36: who cannot be asked has not agreed.
        Gate::Refuse(Refusal::NobodyThere(_)) => {
            case.platform.is_empty() && case.expect.decision.approved
        }
        // H-34: a schedule follows its own setting, whatever the gateway around it could ask.
        Gate::Run(_) | Gate::Refuse(Refusal::Scheduled(_)) => {
            case.is_scheduled() && case.expect.decision.approval_pending
        }
        Gate::Refuse(_) | Gate::Consult(_) => false,
    }
}

#[test]
fn a_refusal_has_the_same_cause() {
    for case in of_kind::<Gated>("gate") {
        let gate = case.gate(&case.rules(), &[]);
        let blocked = matches!(gate, Gate::Refuse(Refusal::Blocked(_)));
        let ruled = matches!(gate, Gate::Refuse(Refusal::Ruled(_)));
        assert_eq!(blocked, case.expect.decision.hardline, "{}", case.id);
        assert_eq!(ruled, case.expect.decision.user_deny, "{}", case.id);
    }
}
