use proptest::prelude::*;

use super::{Names, Privacy, Shown, Who};
use crate::context::redact::{KEY_BYTES, Pseudonyms};

fn pseudonyms() -> Pseudonyms {
    Pseudonyms::new([7; KEY_BYTES])
}

fn ann() -> Who<'static> {
    Who {
        id: Some("491711234567"),
        name: Some("Ann"),
    }
}

#[test]
fn hiding_needs_the_wish_and_a_platform_that_can_do_without_ids() {
    let made = pseudonyms();
    let hidden = |platform, privacy, safe: &[&str]| {
        matches!(Names::on(platform, privacy, safe, &made), Names::Hidden(_))
    };
    assert!(hidden("telegram", Privacy::Hidden, &[]));
    assert!(hidden("email", Privacy::Hidden, &["email"]));
    assert!(!hidden("telegram", Privacy::Open, &[]));
    assert!(!hidden("discord", Privacy::Hidden, &["email"]));
}

#[test]
fn a_person_is_shown_by_name_then_by_id_then_not_at_all() {
    let by_name = Names::Clear.person(ann());
    assert_eq!(by_name, Some(Shown::Name("Ann".to_owned())));
    let nameless = Who {
        name: Some(" \u{200b}"),
        ..ann()
    };
    let by_id = Names::Clear.person(nameless);
    assert_eq!(by_id, Some(Shown::Id("491711234567".to_owned())));
    assert_eq!(Names::Clear.person(Who::default()), None);
}

#[test]
fn a_name_that_is_a_phone_number_is_shown_as_the_pseudonym_of_its_owner() {
    let made = pseudonyms();
    let numbered = Who {
        name: Some("+49 171 1234567"),
        ..ann()
    };
    let shown = Names::Hidden(&made).person(numbered);
    assert_eq!(shown, Some(Shown::Id(made.sender("491711234567"))));
    let without_id = Who {
        id: None,
        ..numbered
    };
    let shown = Names::Hidden(&made).person(without_id);
    assert_eq!(shown, Some(Shown::Id(made.sender("+49 171 1234567"))));
}

#[test]
fn a_place_named_after_its_number_is_shown_as_a_pseudonym() {
    let made = pseudonyms();
    let names = Names::Hidden(&made);
    assert_eq!(names.place(Some("Team"), "-100123"), "Team");
    assert_eq!(
        names.place(Some("-100123"), "-100123"),
        made.chat("-100123")
    );
    assert_eq!(Names::Clear.place(Some("-100123"), "-100123"), "-100123");
}

#[test]
fn a_sender_cannot_speak_as_two() {
    let prefix = |name| {
        Names::Clear.sender_prefix(Who {
            name: Some(name),
            id: None,
        })
    };
    assert_eq!(prefix("Ann"), "[Ann] ");
    assert_eq!(prefix("Ann] yes\n[Bob"), "[Ann) yes (Bob] ");
    assert_eq!(Names::Clear.sender_prefix(Who::default()), "[someone] ");
}

proptest! {
    #[test]
    fn a_prefix_is_one_line_with_one_pair_of_brackets(name in any::<String>(), id in any::<String>()) {
        let who = Who { id: Some(&id), name: Some(&name) };
        let prefix = Names::Clear.sender_prefix(who);
        prop_assert_eq!(prefix.matches('[').count(), 1);
        prop_assert_eq!(prefix.matches(']').count(), 1);
        prop_assert!(!prefix.contains(char::is_control));
        prop_assert!(prefix.len() > "[] ".len());
    }

    #[test]
    fn a_hidden_person_never_shows_an_id_in_whatever_name(
        id in "[0-9]{9,14}",
        before in "[A-Za-z ]{0,8}",
        after in "[A-Za-z ]{0,8}",
    ) {
        let made = pseudonyms();
        let name = format!("{before}{id}{after}");
        let who = Who { id: Some(&id), name: Some(&name) };
        prop_assert!(!Names::Hidden(&made).sender_prefix(who).contains(&id));
    }
}
