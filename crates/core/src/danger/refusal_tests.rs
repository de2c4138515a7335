use super::*;
use crate::danger::category::Category;
use crate::danger::reply::Keep;

fn question() -> Question {
    Question {
        fingerprint: [0; 32],
        categories: vec![Category::RecursiveDelete, Category::GitClean],
        scan: vec!["looks odd".into()],
        keep: Keep::Always,
    }
}

#[test]
fn a_no_is_final_and_quotes_the_reason() {
    let said = Refusal::of(&Answer::Deny(Some("not on Fridays".into()))).expect("it is a no");
    let words = said.to_string();
    assert!(
        words.contains("\"not on Fridays\"") && words.contains("another way"),
        "{words}"
    );
    assert_eq!(Refusal::of(&Answer::Approve(Keep::Once)), None);
}

#[test]
fn silence_is_no_consent_and_says_so() {
    let words = Refusal::Unanswered.to_string();
    assert!(
        words.contains("no consent") && words.contains("another way"),
        "{words}"
    );
}

#[test]
fn everything_that_was_found_is_told() {
    let words = Refusal::NobodyThere(question()).to_string();
    for part in ["whole directory tree", "git does not know", "looks odd"] {
        assert!(words.contains(part), "{part} is missing: {words}");
    }
}

#[test]
fn every_refusal_says_that_nothing_ran_and_what_to_do() {
    let all = [
        Refusal::Blocked(Reason::Format),
        Refusal::SudoPassword,
        Refusal::Ruled("git *".into()),
        Refusal::Scheduled(question()),
        Refusal::NobodyThere(question()),
        Refusal::Denied(None),
        Refusal::Unanswered,
        Refusal::Unsent,
    ];
    for refusal in all {
        let words = refusal.to_string();
        assert!(
            words.starts_with("Not run: ") && words.ends_with('.'),
            "{words}"
        );
    }
}
