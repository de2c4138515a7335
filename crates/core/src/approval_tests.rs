use super::*;

#[test]
fn every_decision_and_decider_is_read_back_by_its_name() {
    let granted = [Grant::Once, Grant::Conversation, Grant::Always].map(Decision::Granted);
    let others = [
        Decision::Denied,
        Decision::Answered,
        Decision::Expired,
        Decision::Withdrawn,
    ];
    for decision in granted.into_iter().chain(others) {
        assert_eq!(decision.name().parse(), Ok(decision));
    }
    for decider in [
        Decider::Asker,
        Decider::Operator,
        Decider::Grant,
        Decider::Nobody,
    ] {
        assert_eq!(decider.name().parse(), Ok(decider));
    }
    assert!("granted".parse::<Decision>().is_err());
    assert!("".parse::<Decider>().is_err());
}

#[test]
fn an_answer_in_chat_is_kept_in_the_words_of_the_rows() {
    let yes = |keep| Verdict::from(Answer::Approve(keep)).decision().name();
    let kept = [Keep::Once, Keep::Session, Keep::Always].map(yes);
    assert_eq!(kept, ["once", "conversation", "always"]);
    let no = Verdict::from(Answer::Deny(Some("not\nnow".into())));
    assert_eq!(no.reason(), Some("not now"));
}

#[test]
fn only_a_denial_has_a_reason() {
    let denied = Verdict::Denied(Some("no".into()));
    assert_eq!(
        (denied.decision(), denied.reason()),
        (Decision::Denied, Some("no"))
    );
    let granted = Verdict::Granted(Grant::Once);
    assert_eq!(granted.decision(), Decision::Granted(Grant::Once));
    assert_eq!(granted.reason(), None);
}
