use super::*;

const PLATFORMS: [&str; 2] = ["telegram", "slack"];

fn entries(names: &[&str]) -> BTreeMap<String, String> {
    let entry = |name: &&str| ((*name).to_owned(), format!("words for {name} "));
    names.iter().map(entry).collect()
}

fn told(names: &[&str], at: (&str, &str, &str)) -> Option<String> {
    let instructions = Instructions::read(entries(names), &PLATFORMS).unwrap();
    instructions.at(at.0, at.1, at.2)
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
fn an_entry_that_names_no_place_is_reported() {
    let wrong = Instructions::read(
        entries(&["telegramm", "telegram:", "irc:x", "dm"]),
        &PLATFORMS,
    );
    let names = ["irc:x", "telegram:", "telegramm"].map(|name| NoPlace(name.to_owned()));
    assert_eq!(wrong, Err(names.to_vec()));
}
