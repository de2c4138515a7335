use super::*;

fn context() -> Context {
    Context {
        prompt: "You are in a private chat.".to_owned(),
        note: None,
        said: vec!["hello".to_owned()],
        ..Context::default()
    }
}

fn texts(prompt: &[Value]) -> Vec<&str> {
    prompt
        .iter()
        .map(|block| block["text"].as_str().unwrap())
        .collect()
}

#[test]
fn an_agent_that_remembers_is_told_the_words_alone() {
    let prompt = prompt(&context(), None, (Memory::Its, Before::Unasked));
    assert_eq!(texts(&prompt), ["hello"]);
}

#[test]
fn one_that_does_not_is_told_where_it_is_and_what_was_said() {
    let past = [
        Entry::new(Role::User, "the word is swan".to_owned()),
        Entry::new(Role::Tool, "noise".to_owned()),
        Entry::new(Role::Assistant, "noted".to_owned()),
    ];
    let prompt = prompt(&context(), Some(&past), (Memory::Ours, Before::Unasked));
    let [told, said] = texts(&prompt)[..] else {
        panic!("two blocks: {prompt:?}")
    };
    assert!(told.starts_with("You are in a private chat.\n\n"), "{told}");
    assert!(
        told.contains("They: the word is swan\n\nYou: noted"),
        "{told}"
    );
    assert!(!told.contains("noise"));
    assert_eq!(said, "hello");
}

#[test]
fn of_a_long_past_the_newest_part_is_told() {
    let past: Vec<Entry> = (0..100)
        .map(|number| Entry::new(Role::User, format!("{number} {}", "x".repeat(1_000))))
        .collect();
    let prompt = prompt(&context(), Some(&past), (Memory::Ours, Before::Unasked));
    let told = texts(&prompt)[0];
    assert!(told.contains("They: 99 ") && !told.contains("They: 50 "));
    assert!(told.contains("left out") && told.chars().count() < PAST_CHARS_MAX + 1_000);
}

#[test]
fn what_is_true_for_this_turn_stands_before_its_words() {
    let context = Context {
        note: Some("The conversation began anew.".to_owned()),
        ..context()
    };
    let prompt = prompt(&context, None, (Memory::Its, Before::Left));
    let [told, said] = texts(&prompt)[..] else {
        panic!("two blocks: {prompt:?}")
    };
    assert!(
        told.starts_with("The conversation began anew.\n\nYou were stopped"),
        "{told}"
    );
    assert_eq!(said, "hello");
}

#[test]
fn the_day_stands_before_the_words_of_every_prompt() {
    let day = Day {
        zone: angelia_core::zone::Zone::utc(),
        at: angelia_core::time::Timestamp::from_ms(1_794_868_200_000),
    };
    let context = Context {
        day: Some(day),
        ..context()
    };
    let prompt = prompt(&context, None, (Memory::Its, Before::Unasked));
    assert_eq!(texts(&prompt), ["Date: Monday, 2026-11-16 (UTC)", "hello"]);
}
