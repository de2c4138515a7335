//! In which order waiting requests are answered.

use angelia_core::danger::reply::{Answer, Keep, Reply, approve, deny, reached};
use angelia_core::id::ApprovalId;
use serde::Deserialize;

use super::of_kind;

#[derive(Deserialize)]
struct Queue {
    id: String,
    waiting: usize,
    calls: Vec<Said>,
    expect: Vec<Told>,
    expect_still_waiting: bool,
}

#[derive(Deserialize)]
struct Said {
    choice: String,
    all: bool,
    reason: Option<String>,
    resolved: usize,
}

#[derive(Debug, Deserialize, PartialEq, Eq)]
struct Told {
    result: Option<String>,
    reason: Option<String>,
}

impl Said {
    /// What a person writes for it, read as we read it.
    fn read(&self) -> Reply {
        let all = if self.all { "all " } else { "" };
        let reason = self.reason.as_deref().unwrap_or_default();
        match self.choice.as_str() {
            "deny" => deny(&format!("{all}{reason}")),
            keep => approve(&format!("{all}{keep}")).expect("it is a way to approve"),
        }
    }
}

impl Told {
    fn of(answer: Option<&Answer>) -> Self {
        let (result, reason) = match answer {
            None => (None, None),
            Some(Answer::Deny(reason)) => (Some("deny"), reason.clone()),
            Some(Answer::Approve(keep)) => (Some(keep.name()), None),
            Some(Answer::Words(words)) => panic!("nobody asked for words: {words}"),
        };
        Self {
            result: result.map(str::to_owned),
            reason,
        }
    }
}

#[test]
fn requests_are_answered_oldest_first() {
    for case in of_kind::<Queue>("queue") {
        let mut waiting: Vec<usize> = (0..case.waiting).collect();
        let mut answers: Vec<Option<Answer>> = vec![None; case.waiting];
        for said in &case.calls {
            let reply = said.read();
            let now: Vec<usize> = reached(waiting.clone(), reply.reach, |one| {
                ApprovalId::from_bits(*one as u128)
            });
            assert_eq!(now.len(), said.resolved, "{}", case.id);
            waiting.retain(|request| !now.contains(request));
            now.into_iter()
                .for_each(|request| answers[request] = Some(reply.answer.clone()));
        }
        let told: Vec<Told> = answers
            .iter()
            .map(|answer| Told::of(answer.as_ref()))
            .collect();
        assert_eq!(told, case.expect, "{}", case.id);
        assert_eq!(
            !waiting.is_empty(),
            case.expect_still_waiting,
            "{}",
            case.id
        );
    }
}

#[test]
fn an_answer_is_kept_no_longer_than_may_be() {
    assert_eq!(Keep::Always.min(Keep::Session), Keep::Session);
    assert_eq!(Keep::Session.min(Keep::Once), Keep::Once);
}
