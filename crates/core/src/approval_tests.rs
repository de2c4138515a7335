use super::*;

#[test]
fn every_decision_and_decider_is_read_back_by_its_name() {
    let granted = [Grant::Once, Grant::Conversation, Grant::Always].map(Decision::Granted);
    let others = [Decision::Denied, Decision::Expired, Decision::Withdrawn];
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
fn an_answer_is_for_the_oldest_question_unless_it_is_for_all() {
    assert_eq!(Which::Oldest.of(&[1, 2]), [1]);
    assert_eq!(Which::All.of(&[1, 2]), [1, 2]);
    assert!(Which::Oldest.of::<u8>(&[]).is_empty());
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
