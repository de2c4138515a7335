use super::*;

const PLATFORMS: [&str; 2] = ["telegram", "slack"];

fn entries(names: &[&str]) -> BTreeMap<String, String> {
    let entry = |name: &&str| ((*name).to_owned(), format!("words for {name} "));
    names.iter().map(entry).collect()
}

fn told(names: &[&str], at: (&str, &str, &str)) -> Option<String> {
    let instructions = Instructions::read(entries(names), &PLATFORMS).unwrap();
    instructions.at(at.0, at.1, (at.2, None))
}

#[test]
fn the_most_specific_entry_holds() {
    let all = ["group", "telegram", "telegram.group", "telegram:-7"];
    let last = |count: usize| told(&all[..count], ("telegram", "group", "-7")).unwrap();
    for (count, name) in (1..).zip(all) {
        assert_eq!(last(count), format!("{WHOSE}\nwords for {name}"));
    }
    let slack = told(&all, ("slack", "group", "-7")).unwrap();
    assert!(slack.ends_with("words for group"), "{slack}");
    assert_eq!(told(&all, ("slack", "dm", "-7")), None);
    assert_eq!(told(&[], ("slack", "dm", "1")), None);
}

#[test]
fn a_chat_that_hangs_on_another_has_its_words_unless_it_has_its_own() {
    let read = |entries: [(&str, &str); 3]| {
        let entries = entries.map(|(name, words)| (name.to_owned(), words.to_owned()));
        Instructions::read(entries.into(), &PLATFORMS).unwrap()
    };
    let place = |one: &Instructions, chat| one.at("slack", "group", (chat, Some("p")));
    let own = read([
        ("slack:t", "thread"),
        ("slack:p", "channel"),
        ("slack", "all"),
    ]);
    assert_eq!(place(&own, "t"), Some(format!("{WHOSE}\nthread")));
    assert_eq!(place(&own, "other"), Some(format!("{WHOSE}\nchannel")));
    let silent = read([("slack:t", " \n"), ("slack:p", "channel"), ("slack", "")]);
    assert_eq!(place(&silent, "t"), Some(format!("{WHOSE}\nchannel")));
    assert_eq!(silent.at("slack", "dm", ("d", None)), None);
}

#[test]
fn an_entry_that_names_no_place_is_reported() {
    let wrong = Instructions::read(
        entries(&["telegramm", "telegram:", "irc:x", "dm"]),
        &PLATFORMS,
    );
    let names = ["irc:x", "telegram:", "telegramm"].map(|name| NoPlace(name.to_owned()));
    assert_eq!(wrong, Err(names.to_vec()));
}
