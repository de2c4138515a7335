use super::super::resolve::{Overrides, Settings, resolve};
use super::*;

fn settings(text: &str) -> Settings {
    resolve(raw::read(text), &Overrides::default())
        .unwrap()
        .settings
}

fn problems(text: &str) -> Vec<String> {
    let found = resolve(raw::read(text), &Overrides::default()).unwrap_err();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_place_may_have_a_mode_of_its_own() {
    let settings = settings(
        "[busy]\nmode = \"steer\"\nacks = false\n[busy.for.telegram]\nmode = \"interrupt\"\nacks = true\n\
         [busy.for.\"telegram.group\"]\nmode = \"queue\"\n",
    );
    let manners = &settings.busy;
    assert_eq!(manners.everywhere.mode, Some(Mode::Steer));
    assert_eq!(manners.everywhere.acks, Some(Acks::Silent));
    assert_eq!(manners.places["telegram"].acks, Some(Acks::Told));
    assert_eq!(manners.places["telegram"].mode, Some(Mode::Interrupt));
    assert_eq!(manners.places["telegram.group"].mode, Some(Mode::Queue));
}

#[test]
fn slips_are_told_with_their_line() {
    let found =
        problems("[busy.for.telegramm]\nmode = \"queue\"\n[busy.for.group]\nmode = \"wait\"\n");
    assert!(
        found[0].contains("line 1: `busy.for.telegramm` names no place"),
        "{found:?}"
    );
    assert!(
        found[1].contains("line 4: `busy.for.group.mode` must be"),
        "{found:?}"
    );
}
