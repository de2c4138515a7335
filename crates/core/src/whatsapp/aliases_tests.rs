use proptest::prelude::*;

use super::*;

const NUMBER: &str = "15551234567";
const HIDDEN: &str = "77";

fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(ms)
}

fn learned(pairs: &[(&str, &str)]) -> Aliases {
    let mut aliases = Aliases::default();
    for ((one, other), ms) in pairs.iter().zip(1..) {
        let rows = aliases.learn(one, other, at(ms));
        aliases.write(rows);
    }
    aliases
}

#[test]
fn a_new_alias_joins_the_primary_that_conversations_have() {
    let mut aliases = Aliases::default();
    aliases.write(aliases.meet(NUMBER, at(1)));
    assert_eq!(aliases.primary(NUMBER), NUMBER);

    let rows = aliases.learn("15551234567@s.whatsapp.net", "77@lid", at(2));
    aliases.write(rows);
    assert_eq!(aliases.primary(NUMBER), NUMBER);
    assert_eq!(aliases.primary(HIDDEN), NUMBER);
}

#[test]
fn of_two_new_ids_the_plainer_one_is_the_primary() {
    for pair in [(NUMBER, HIDDEN), (HIDDEN, NUMBER)] {
        let aliases = learned(&[pair]);
        assert_eq!(aliases.primary(NUMBER), HIDDEN);
        assert_eq!(aliases.primary(HIDDEN), HIDDEN);
    }
}

#[test]
fn when_two_people_turn_out_to_be_one_the_older_primary_wins() {
    let mut aliases = learned(&[("100", "1001"), ("20", "2001")]);
    let rows = aliases.learn("2001", "1001", at(9));
    assert_eq!(
        rows.iter()
            .map(|row| (row.alias.as_str(), row.since.ms()))
            .collect::<Vec<_>>(),
        [("20", 2), ("2001", 2)],
        "only the rows of the younger one change, and none forgets its age"
    );
    aliases.write(rows);
    for id in ["100", "1001", "20", "2001"] {
        assert_eq!(aliases.primary(id), "100");
    }
}

#[test]
fn an_id_with_odd_characters_is_itself_and_nobody_elses() {
    let aliases = learned(&[
        (NUMBER, "a/b"),
        ("15 551", NUMBER),
        ("１５", NUMBER),
        ("", NUMBER),
    ]);
    assert_eq!(aliases, Aliases::default());
    for id in ["a/b", "15 551", "１５"] {
        assert_eq!(aliases.primary(id), id);
        assert_eq!(aliases.meet(id, at(1)), None);
    }
}

#[test]
fn what_is_known_already_is_not_written_again() {
    let aliases = learned(&[(NUMBER, HIDDEN)]);
    assert_eq!(aliases.learn(HIDDEN, NUMBER, at(5)), []);
    assert_eq!(aliases.learn(NUMBER, "+15551234567", at(5)), []);
    assert_eq!(aliases.meet(HIDDEN, at(5)), None);
}

proptest! {
    #[test]
    fn all_ids_of_a_person_lead_to_one_primary_and_it_to_itself(
        pairs in prop::collection::vec(("[1-9]{1,2}", "[1-9]{1,2}"), 0..12),
        met in prop::collection::vec("[1-9]{1,2}", 0..4),
    ) {
        let mut aliases = Aliases::default();
        for (id, ms) in met.iter().zip(1..) {
            aliases.write(aliases.meet(id, at(ms)));
        }
        for ((one, other), ms) in pairs.iter().zip(10..) {
            let rows = aliases.learn(one, other, at(ms));
            aliases.write(rows);
            prop_assert_eq!(aliases.primary(one), aliases.primary(other));
        }
        for (one, other) in &pairs {
            let primary = aliases.primary(one);
            prop_assert_eq!(&aliases.primary(other), &primary);
            prop_assert_eq!(aliases.primary(&primary), primary);
        }
    }

    #[test]
    fn a_new_id_never_changes_anybodys_key(
        pairs in prop::collection::vec(("[1-9]{1,2}", "[1-9]{1,2}"), 1..8),
        chosen in any::<prop::sample::Index>(),
    ) {
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let before = learned(&pairs);
        let known: Vec<_> = before.0.keys().collect();
        prop_assume!(!known.is_empty());
        let joined = chosen.get(&known);

        let mut after = before.clone();
        after.write(before.learn("0", joined, at(99)));
        for id in &known {
            prop_assert_eq!(after.primary(id), before.primary(id));
        }
        prop_assert_eq!(after.primary("0"), before.primary(joined));
    }
}
