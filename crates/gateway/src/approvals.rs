//! Asks a person before something dangerous is done, or something that an agent wants to know, and waits for the
//! answer.
//!
//! ```text
//! a call's question → row and message → (bell or period) → answers behind the turn, time, row → the call goes on
//! ```
//!
//! The row stands under the call, so a turn that is run again puts the same question and finds what was
//! decided meanwhile. Waiting is looking at rows; nothing is kept here, and a turn that is dropped while
//! it waits loses nothing.
//!
//! Answers come from the chat (taken along by the turn, in the store) or from an operator (`decide`).
//! What is dangerous, and what an answer covers, is not decided here.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use angelia_agents::consent::{Answer, Consent, Inquiry, Question, Told};
use angelia_agents::events::Ended;
use angelia_core::approval::words::{self, Asked as Words};
use angelia_core::approval::{Decision, Grant, Verdict, inquiry};
use angelia_core::danger::gate::Rules;
use angelia_core::id::ApprovalId;
use angelia_core::inbound::Inbound;
use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::time::Span;
use angelia_store::approvals::{Approval, Asked, Decided, Matter, NewApproval, Ruled};
use angelia_store::turns::ClaimedTurn;
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use crate::feed::Frame;
use crate::ground::Ground;
use crate::sketches::Work;
use crate::turn::Patience;

/// The shortest rest between two looks: clocks that differ a little must not make a busy loop.
const REST_MIN: Span = Span::ms(20);

/// What the operator chose about questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Whether anybody is asked.
    pub mode: Mode,
    /// How long a question stays open.
    pub time: Span,
    /// What is refused and what is allowed without a question.
    pub rules: Arc<Rules>,
}

/// Whether anybody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Somebody is.
    #[default]
    Ask,
    /// Nobody is, and everything is agreed to that anybody could agree to.
    Off,
    /// Nobody is, and nothing is agreed to.
    Deny,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            mode: Mode::Ask,
            time: limits::APPROVAL_TIME,
            rules: Arc::default(),
        }
    }
}

/// Decides a question for an operator, once.
///
/// # Errors
/// The store did not answer; the question may or may not be decided.
pub async fn decide(
    ground: &Ground,
    id: ApprovalId,
    verdict: Verdict,
) -> Result<Ruled, StoreError> {
    let ruled = ground.store.decide_approval(id, verdict).await?;
    if let Ruled::Now(approval) = &ruled {
        announce(ground, approval);
        ground.bells.approvals.ring(|| approval.session);
    }
    Ok(ruled)
}

/// What asks people, for one turn.
pub(crate) struct Asking {
    ground: Ground,
    choice: Choice,
    claimed: ClaimedTurn,
    /// How long the turn may work: not while somebody is asked.
    patience: Patience,
    /// The message that is answered: who is asked, and where.
    inbound: Arc<Inbound>,
}

impl fmt::Debug for Asking {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Asking({})", self.claimed.turn)
    }
}

#[async_trait]
impl Consent for Asking {
    async fn ask(&self, question: Question) -> Result<Answer, Ended> {
        match self.choice.mode {
            Mode::Ask => (),
            Mode::Off => return Ok(Answer::Granted(Grant::Once)),
            Mode::Deny => return Ok(Answer::Refused(words::never_asked())),
        }
        let new = self.new_approval(question);
        Ok(match self.put(new).await? {
            Put::Decided(decided) => answer(&decided),
            Put::Refused(why) => Answer::Refused(why),
        })
    }

    async fn inquire(&self, inquiry: Inquiry) -> Result<Told, Ended> {
        // Who brings their own history is a program: it reads replies, and answers no questions.
        if !self.inbound.context.is_empty() {
            return Ok(Told::Nothing(inquiry::NOBODY.to_owned()));
        }
        let new = self.new_inquiry(inquiry);
        Ok(match self.put(new).await? {
            Put::Decided(decided) => told(decided),
            Put::Refused(why) => Told::Nothing(why),
        })
    }
}

/// What came of a question that was put.
enum Put {
    /// It was decided, now or before.
    Decided(Decided),
    /// It was not asked; this is why.
    Refused(String),
}

impl Asking {
    /// For a turn; nothing if it answers nobody.
    pub(crate) fn of(
        ground: &Ground,
        choice: &Choice,
        (claimed, patience): (&ClaimedTurn, Patience),
    ) -> Option<Self> {
        let inbound = claimed.batch.last()?.inbound.clone();
        Some(Self {
            ground: ground.clone(),
            choice: choice.clone(),
            claimed: claimed.clone(),
            patience,
            inbound,
        })
    }

    /// Writes a question down and waits until it is decided. What was said before it stands above it, where the platform
    /// keeps up.
    async fn put(&self, new: NewApproval) -> Result<Put, Ended> {
        let store = &self.ground.store;
        let known = self
            .ground
            .insist("turn", || store.is_answered(new.clone()));
        if !known.await {
            let said = self.ground.sketches.caught_up(self.claimed.turn);
            let time = limits::WORDS_BEFORE_QUESTION.to_std();
            let _overtaken = tokio::time::timeout(time, said).await.is_err();
        }
        let asked = self
            .ground
            .insist("turn", || store.ask_for_approval(new.clone()));
        match asked.await {
            Fenced::Lost => Err(Ended),
            Fenced::Done(Asked::New(approval)) => {
                let courier = self.ground.bells.outbox(&approval.address.account);
                courier.ring();
                announce(&self.ground, &approval);
                self.answered(*approval).await.map(Put::Decided)
            }
            Fenced::Done(Asked::Before(approval) | Asked::Granted(approval)) => {
                self.answered(*approval).await.map(Put::Decided)
            }
            Fenced::Done(Asked::Differs) => Ok(Put::Refused(words::differs())),
            Fenced::Done(Asked::Full) => Ok(Put::Refused(words::too_many())),
        }
    }

    /// A question that wants words. Secrets in it are hidden, as in everything that people are shown.
    fn new_inquiry(&self, asked: Inquiry) -> NewApproval {
        let (env, time) = (&self.ground.env, limits::INQUIRY_TIME);
        let question = self.shown(&asked.question).into_owned();
        let choices = asked.choices.iter().map(|one| self.shown(one).into_owned());
        let choices: Vec<String> = choices.collect();
        let text = inquiry::shown(&question, &choices, time);
        NewApproval {
            id: env.approval_id(),
            turn: self.claimed.turn,
            fence: self.claimed.fence,
            call: asked.call,
            matter: Matter {
                fingerprint: inquiry::fingerprint(&asked.question, &asked.choices),
                command: question,
                workdir: None,
                backend: String::new(),
                reasons: Vec::new(),
                choices: Some(choices),
            },
            person: self.inbound.person.clone(),
            address: self.inbound.address.clone(),
            time,
            shown: (env.delivery_id(), text),
        }
    }

    fn new_approval(&self, question: Question) -> NewApproval {
        let (env, time) = (&self.ground.env, self.choice.time);
        let (call, sort) = (question.call.clone(), question.sort);
        let command = self.shown(&question.command).into_owned();
        let matter = self.matter(question, &command);
        let text = words::question(&Words {
            sort,
            command: &command,
            workdir: matter.workdir.as_deref(),
            backend: &matter.backend,
            reasons: &matter.reasons,
            time,
        });
        NewApproval {
            id: env.approval_id(),
            turn: self.claimed.turn,
            fence: self.claimed.fence,
            call,
            matter,
            person: self.inbound.person.clone(),
            address: self.inbound.address.clone(),
            time,
            shown: (env.delivery_id(), text),
        }
    }

    /// Without secrets, but with everything that would run.
    fn shown<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.ground.masker.shown(text, Surface::Question)
    }

    /// What the question is about, as people are shown it: without secrets, and bounded. What an answer
    /// is bound to is the fingerprint, which is of the command itself.
    fn matter(&self, question: Question, command: &str) -> Matter {
        let shown = |text: &str| words::kept(&self.shown(text));
        let workdir = question.workdir.map(|path| path.display().to_string());
        let reasons = question.reasons.iter().take(limits::APPROVAL_REASONS_MAX);
        Matter {
            fingerprint: question.fingerprint,
            command: words::kept(command),
            workdir: workdir.as_deref().map(shown),
            backend: shown(&question.backend),
            reasons: reasons.map(|why| shown(why)).collect(),
            choices: None,
        }
    }

    /// Waits until the question is decided. Meanwhile nothing shows that somebody writes, and the turn's time stands still.
    async fn answered(&self, approval: Approval) -> Result<Decided, Ended> {
        let (sketches, turn) = (&self.ground.sketches, self.claimed.turn);
        let _until_decided = self.patience.pause();
        sketches.works(turn, Work::Asking);
        let decided = self.decided(approval).await;
        sketches.works(turn, Work::Going);
        decided
    }

    async fn decided(&self, mut approval: Approval) -> Result<Decided, Ended> {
        let mut bell = self.ground.bells.approvals.listen(approval.session);
        loop {
            if let Some(decided) = approval.decided {
                return Ok(decided);
            }
            // An answer may have come before we listened, also while nobody had this turn.
            approval = self.look(approval.id).await?;
            if approval.decided.is_none() {
                tokio::select! {
                    biased;
                    () = bell.heard() => (),
                    () = tokio::time::sleep(self.rest(&approval).to_std()) => (),
                }
            }
        }
    }

    /// Takes answers along, ends what is out of time, and reads the question again.
    async fn look(&self, id: ApprovalId) -> Result<Approval, Ended> {
        let (store, claimed) = (&self.ground.store, &self.claimed);
        let notice = self.ground.env.delivery_id();
        let replies = self.ground.insist("turn", || {
            store.take_replies(claimed.turn, claimed.fence, notice)
        });
        let Fenced::Done(replies) = replies.await else {
            return Err(Ended);
        };
        if let Some(batch) = replies.batch {
            self.ground
                .bells
                .outbox(&self.inbound.address.account)
                .ring();
            let at = self.ground.env.now();
            self.ground.feed.publish(|_| Frame::Turn {
                turn: claimed.turn,
                session: claimed.session,
                inbox_ids: batch.iter().map(|waiting| waiting.inbox).collect(),
                state: "running",
                at,
            });
        }
        let expired = self
            .ground
            .insist("turn", || store.expire_approvals())
            .await;
        for decided in replies.decided.iter().chain(&expired) {
            announce(&self.ground, decided);
            self.ground.bells.approvals.ring(|| decided.session);
        }
        self.ground
            .insist("turn", || store.approval(id))
            .await
            .ok_or(Ended)
    }

    /// Until when there is nothing to see, unless a bell rings.
    fn rest(&self, approval: &Approval) -> Span {
        let left = approval.expires_at.since(self.ground.env.now());
        left.min(limits::LOOP_PERIOD).max(REST_MIN)
    }
}

fn answer(decided: &Decided) -> Answer {
    match decided.decision {
        Decision::Granted(grant) => Answer::Granted(grant),
        refused @ (Decision::Denied
        | Decision::Answered
        | Decision::Expired
        | Decision::Withdrawn) => {
            Answer::Refused(words::refusal(refused, decided.reason.as_deref()))
        }
    }
}

fn told(decided: Decided) -> Told {
    match decided.decision {
        Decision::Answered => Told::Answered(decided.reason.unwrap_or_default()),
        Decision::Granted(_) | Decision::Denied | Decision::Expired | Decision::Withdrawn => {
            Told::Nothing(inquiry::unanswered())
        }
    }
}

/// Tells watchers how a question stands, and whoever changes its message.
fn announce(ground: &Ground, approval: &Approval) {
    if approval.decided.is_some() {
        ground.bells.decided.ring();
    }
    ground.feed.publish(|feed| Frame::Approval {
        session: approval.session,
        approval: feed.keep(approval.matter.command.len(), approval.clone()),
    });
}
