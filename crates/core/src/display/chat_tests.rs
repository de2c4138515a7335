use super::*;
use crate::address::{AccountId, Address, Chat, ChatKind, Platform};
use crate::display::Displays;

#[test]
fn every_choice_is_read_from_what_is_stored_of_it() {
    let modes = [Mode::Off, Mode::New, Mode::All, Mode::Verbose].map(Choice::Lines);
    let thoughts = [Switch::On, Switch::Off].map(Choice::Thoughts);
    let footers = [Switch::On, Switch::Off].map(Choice::Footer);
    let voices = [Speech::Off, Speech::Answered, Speech::All].map(Choice::Voice);
    let all = modes.into_iter().chain(thoughts);
    for choice in all.chain(footers).chain(voices) {
        let (name, value) = choice.entry();
        assert_eq!(Choice::stored(name, value), Some(choice));
    }
    assert_eq!(Choice::stored("tool_progress", "sometimes"), None);
}

#[test]
fn going_on_leads_through_all_ways_and_back() {
    let mut mode = Mode::Off;
    for way in [Mode::New, Mode::All, Mode::Verbose, Mode::Off] {
        mode = next(mode);
        assert_eq!(mode, way);
    }
}

#[test]
fn a_choice_stands_above_the_settings_and_leaves_the_rest() {
    let address = Address {
        platform: Platform::Telegram,
        account: AccountId::of(Platform::Telegram),
        chat: Chat {
            id: "1".to_owned(),
            kind: ChatKind::Dm,
        },
        thread: None,
    };
    let written = Map::from_iter([("show_reasoning".to_owned(), Value::from("on"))]);
    let displays = Displays {
        everywhere: Layer::read(&written).0,
        ..Displays::default()
    };
    let choices = |entries: &[(&str, &str)]| -> Choices {
        let entries = entries.iter();
        entries
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    };
    let shown = displays.in_chat(&address, &choices(&[("tool_progress", "all")]));
    assert_eq!(shown.tool_progress, Mode::All);
    assert_eq!(shown.show_reasoning, Switch::On);
    let shown = displays.in_chat(&address, &choices(&[("show_reasoning", "off")]));
    assert_eq!(shown.show_reasoning, Switch::Off);
    assert_eq!(
        displays.in_chat(&address, &Choices::new()),
        displays.of(&address)
    );
}
