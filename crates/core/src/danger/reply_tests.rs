use super::*;

fn approved(arguments: &str) -> (Reach, Keep) {
    match approve(arguments).expect("it is understood") {
        Reply {
            answer: Answer::Approve(keep),
            reach,
        } => (reach, keep),
        Reply { answer, .. } => panic!("/approve {arguments} became {answer:?}"),
    }
}

fn denied(arguments: &str) -> (Reach, Option<String>) {
    match deny(arguments) {
        Reply {
            answer: Answer::Deny(reason),
            reach,
        } => (reach, reason),
        Reply { answer, .. } => panic!("/deny {arguments} became {answer:?}"),
    }
}

#[test]
fn a_bare_yes_is_for_the_oldest_request_and_this_time() {
    assert_eq!(approved(""), (Reach::Oldest, Keep::Once));
    assert_eq!(approved("  once "), (Reach::Oldest, Keep::Once));
}

#[test]
fn a_yes_can_be_kept_and_reach_all() {
    assert_eq!(approved("session"), (Reach::Oldest, Keep::Session));
    assert_eq!(approved("Always"), (Reach::Oldest, Keep::Always));
    assert_eq!(approved("all"), (Reach::All, Keep::Once));
    assert_eq!(approved("ALL  session"), (Reach::All, Keep::Session));
    assert_eq!(approved("all always"), (Reach::All, Keep::Always));
}

#[test]
fn a_yes_that_is_not_understood_approves_nothing_and_says_what_to_write() {
    for arguments in ["forever", "session always", "all of it", "no"] {
        let slip = approve(arguments).expect_err("it is not understood");
        assert!(slip.to_string().contains("/approve"), "{slip}");
    }
}

#[test]
fn a_no_takes_its_reason_along() {
    assert_eq!(denied(""), (Reach::Oldest, None));
    assert_eq!(denied("all"), (Reach::All, None));
    assert_eq!(
        denied("too risky"),
        (Reach::Oldest, Some("too risky".into()))
    );
    assert_eq!(
        denied("all not today"),
        (Reach::All, Some("not today".into()))
    );
    assert_eq!(
        denied("allow it later"),
        (Reach::Oldest, Some("allow it later".into()))
    );
}

#[test]
fn a_long_reason_is_cut_between_letters() {
    let (_, reason) = denied(&"ä".repeat(500));
    assert_eq!(reason.map(|text| text.chars().count()), Some(280));
}

#[test]
fn the_oldest_is_answered_first_unless_one_is_named() {
    let ids = [1, 2, 3].map(ApprovalId::from_bits);
    let meant = |reach| reached(ids.to_vec(), reach, |id| *id);
    assert_eq!(meant(Reach::Oldest), ids[..1]);
    assert_eq!(meant(Reach::All), ids);
    assert_eq!(meant(Reach::This(ids[1])), ids[1..2]);
    assert!(meant(Reach::This(ApprovalId::from_bits(9))).is_empty());
    assert!(reached(Vec::new(), Reach::Oldest, |id| *id).is_empty());
}

#[test]
fn an_answer_can_name_the_request_that_it_is_for() {
    let id = ApprovalId::from_bits(7);
    assert_eq!(approved(&format!("{id}")), (Reach::This(id), Keep::Once));
    assert_eq!(
        approved(&format!("{id} always")),
        (Reach::This(id), Keep::Always)
    );
    assert_eq!(
        denied(&format!("{id} not now")),
        (Reach::This(id), Some("not now".to_owned()))
    );
    assert!(approve(&format!("{id} perhaps")).is_err());
}

#[test]
fn words_are_for_the_oldest_question_or_the_one_that_is_named_and_never_for_all() {
    let id = ApprovalId::from_bits(7);
    let said = |arguments: &str| {
        let reply = words(arguments)?;
        let Answer::Words(words) = reply.answer else {
            panic!("/answer {arguments} became {:?}", reply.answer);
        };
        Some((reply.reach, words))
    };
    assert_eq!(said(" 2 "), Some((Reach::Oldest, "2".to_owned())));
    assert_eq!(
        said("all of them"),
        Some((Reach::Oldest, "all of them".to_owned()))
    );
    assert_eq!(
        said(&format!("{id}  dark  blue")),
        Some((Reach::This(id), "dark  blue".to_owned()))
    );
    assert_eq!((said("  "), said(&id.to_string())), (None, None));
}
