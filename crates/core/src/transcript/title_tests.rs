use proptest::prelude::*;

use super::super::ending::Life;
use super::super::lineage::{Kind, Link, Node};
use super::*;
use crate::time::Timestamp;

fn title(text: &str) -> Title {
    Title::clean(text).unwrap().unwrap()
}

fn titles(texts: &[&str]) -> Vec<Title> {
    texts.iter().map(|text| title(text)).collect()
}

#[test]
fn a_title_is_one_line_that_can_be_seen() {
    assert_eq!(title(" a\tb\u{a0}\r\n c\u{202e}d\0 ").as_str(), "a b cd");
    assert_eq!(Title::clean("\u{200b} \u{1b}\n"), Ok(None));
}

#[test]
fn the_length_is_counted_after_cleaning() {
    let hidden = "a\u{200b}".repeat(CHARS_MAX);
    assert!(Title::clean(&hidden).is_ok());
    let refused = Title::clean(&"🙂".repeat(CHARS_MAX + 1)).unwrap_err();
    assert!(refused.to_string().contains("101"));
}

#[test]
fn a_number_too_large_to_count_on_is_no_number() {
    let in_use = titles(&["plan", "plan #99999999999999999999999"]);
    assert_eq!(next(&title("plan"), &in_use).as_str(), "plan #2");
    let in_use = titles(&["plan #18446744073709551615"]);
    assert_eq!(
        next(&title("plan"), &in_use).as_str(),
        "plan #18446744073709551616"
    );
}

#[test]
fn a_long_title_is_shortened_for_its_number() {
    let long = title(&"x".repeat(CHARS_MAX));
    let second = next(&long, std::slice::from_ref(&long));
    let third = next(&long, &[long.clone(), second.clone()]);
    assert_eq!(second.as_str(), "x".repeat(CHARS_MAX - 3));
    assert_eq!(third.as_str(), format!("{} #2", "x".repeat(CHARS_MAX - 3)));
}

#[test]
fn variants_match_in_either_case_and_wild_cards_mean_themselves() {
    let in_use = titles(&["PLAN #4", "a%b", "axb #7"]);
    assert_eq!(next(&title("plan"), &in_use).as_str(), "plan #5");
    assert_eq!(next(&title("a%b"), &in_use).as_str(), "a%b #2");
}

#[test]
fn a_title_finds_the_variant_that_was_started_last() {
    let started = titles(&["plan #9", "plan", "plan #2", "other"]);
    assert_eq!(resolve(&title("plan"), &started), Some(&title("plan #2")));
    assert_eq!(resolve(&title("other"), &started), Some(&title("other")));
    assert_eq!(resolve(&title("pla"), &started), None);
}

#[test]
fn an_id_is_found_by_a_beginning_that_is_its_own() {
    let ids = ["ab", "abc", "xyz"];
    assert_eq!(by_prefix("ab", &ids), Some("ab"));
    assert_eq!(by_prefix("x", &ids), Some("xyz"));
    assert_eq!(by_prefix("a", &ids), None);
    assert_eq!(by_prefix("", &ids), None);
}

fn session(number: u128) -> SessionId {
    SessionId::from_bits(number)
}

fn two(kind: Kind) -> Lineage {
    let node = |number, link| Node {
        id: session(number),
        link,
        started_at: Timestamp::from_ms(0),
        last_message_at: None,
        life: Life::Live,
    };
    let link = Link {
        parent: session(1),
        kind,
    };
    [node(1, None), node(2, Some(link))].into_iter().collect()
}

fn wish(giver: Giver, current: Option<&Title>) -> Wish<'_> {
    Wish {
        giver,
        session: session(2),
        current,
        holder: Some(session(1)),
    }
}

#[test]
fn a_title_moves_only_to_what_goes_on_from_its_session() {
    let person = wish(Giver::Person, None);
    assert_eq!(
        claim(&person, &two(Kind::Continuation)),
        Claim::MovesFrom(session(1))
    );
    for kind in [Kind::Branch, Kind::Delegate, Kind::Parent] {
        assert_eq!(claim(&person, &two(kind)), Claim::Taken(session(1)));
    }
}

#[test]
fn an_automatic_title_never_replaces_one_that_is_there() {
    let current = title("mine");
    let automatic = wish(Giver::Automatic, Some(&current));
    assert_eq!(claim(&automatic, &two(Kind::Continuation)), Claim::Keeps);
    let automatic = wish(Giver::Automatic, None);
    assert_eq!(
        claim(&automatic, &two(Kind::Parent)),
        Claim::Taken(session(1))
    );
}

proptest! {
    /// D2
    #[test]
    fn cleaning_twice_changes_nothing(text in ".{0,60}|[ \ta\u{200b}\u{202e}\u{85}#]{0,20}") {
        if let Ok(Some(once)) = Title::clean(&text) {
            prop_assert_eq!(Title::clean(once.as_str()), Ok(Some(once)));
        }
    }

    /// D2: also when following it over and over fills the list.
    #[test]
    fn the_next_title_is_never_in_use_and_fits(
        start in prop::collection::vec("(a|B|x{50}){1,2}( #[0-9a]{0,21}){0,2}", 0..6),
        wish in "(a|b|x{50}){1,2}( #[0-9]{0,3}){0,2}",
    ) {
        let mut in_use: Vec<Title> = start.iter().filter_map(|text| Title::clean(text).ok()?).collect();
        if let Ok(Some(wish)) = Title::clean(&wish) {
            for _ in 0..12 {
                let next = next(&wish, &in_use);
                prop_assert!(!in_use.contains(&next), "{} in {:?}", next, in_use);
                prop_assert_eq!(Title::clean(next.as_str()), Ok(Some(next.clone())));
                in_use.push(next);
            }
        }
    }
}
