use super::super::raw;
use super::super::resolve::{Overrides, Resolved, resolve};
use super::super::{ConfigFile, Named, show};
use super::*;
use angelia_core::profile::rules::Spot;

fn resolved(text: &str) -> Resolved {
    resolve(raw::read(text), &Overrides::default()).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    let found = resolve(raw::read(text), &Overrides::default()).unwrap_err();
    found.iter().map(ToString::to_string).collect()
}

const TWO: &str = "[profiles]\nmultiplex = true\nactive = \"Home\"\n\
    [[profiles.routes]]\nplatform = \"telegram\"\nprofile = \"work\"\n\
    [[profiles.routes]]\nname = \"topic\"\nplatform = \"telegram\"\nprofile = \"deep\"\n\
    chat = -100200\nthread = \"17\"\n";

fn chosen(settings: &Multiplexing, chat: &str, thread: Option<&str>) -> Option<String> {
    let Multiplexing::On { rules, active } = settings else {
        panic!("it is on")
    };
    let spot = Spot {
        platform: Platform::Telegram,
        scope: None,
        chat,
        thread,
        parent: None,
    };
    let rule = rules.choose(&spot).map(|rule| rule.profile());
    rule.or(active.as_ref()).map(ToString::to_string)
}

#[test]
fn routes_lead_to_their_profiles_and_ids_may_be_numbers() {
    let profiles = resolved(TWO).settings.profiles;
    let of = |chat, thread| chosen(&profiles, chat, thread);
    assert_eq!(of("-100200", Some("17")).as_deref(), Some("deep"));
    assert_eq!(of("-100200", None).as_deref(), Some("work"));
    let unmet = TWO.replace("telegram", "slack");
    let profiles = resolved(&unmet).settings.profiles;
    assert_eq!(chosen(&profiles, "1", None).as_deref(), Some("home"));
}

#[test]
fn without_multiplexing_there_is_one_profile_and_routes_are_checked_all_the_same() {
    assert_eq!(resolved("").settings.profiles, Multiplexing::Off);
    let off = TWO.replace("multiplex = true", "multiplex = false");
    assert_eq!(resolved(&off).settings.profiles, Multiplexing::Off);
    assert!(!problems(&off.replace("deep", "a b")).is_empty());
}

#[test]
fn the_active_profile_is_the_main_one_unless_another_is_named() {
    let profiles = resolved("[profiles]\nmultiplex = true\n").settings.profiles;
    assert_eq!(chosen(&profiles, "1", None), None);
}

#[test]
fn everything_wrong_with_routes_is_told_on_its_line() {
    let text = "[profiles]\nactive = \"root\"\n\
        [[profiles.routes]]\nprofile = \"work\"\n\
        [[profiles.routes]]\nplatform = \"telegramm\"\nprofile = \"work\"\n\
        [[profiles.routes]]\nplatform = \"slack\"\nprofile = \"a:b\"\n\
        [[profiles.routes]]\nplatform = \"slack\"\nprofile = \"work\"\nchat = \"\"\n\
        [[profiles.routes]]\nplatfrom = \"slack\"\nprofile = 7\n";
    let found = problems(text);
    let begin = |number: usize| found[number].split(';').next().unwrap_or_default();
    assert_eq!(found.len(), 7, "{found:#?}");
    assert!(found[0].starts_with("line 2: `profiles.active` is wrong: `root` cannot name"));
    assert_eq!(
        begin(1),
        "line 3: in `profiles.routes.1`: missing field `platform`"
    );
    assert!(found[2].starts_with("line 6: in `profiles.routes.2`: `platform`: "));
    assert!(
        found[2].ends_with("did you mean `telegram`?"),
        "{}",
        found[2]
    );
    assert!(found[3].starts_with("line 10: in `profiles.routes.3`: `profile`: `a:b` cannot name"));
    assert_eq!(begin(4), "line 14: in `profiles.routes.4`: `chat` is empty");
    assert_eq!(
        found[5],
        "line 16: unknown key `profiles.routes.5.platfrom`; did you mean `platform`?"
    );
    assert!(found[6].starts_with("line 17: `profiles.routes.5.profile` must be a string"));
}

#[test]
fn routes_are_a_list_of_tables() {
    assert_eq!(
        problems("[profiles.routes]\nplatform = \"slack\"\n"),
        [
            "line 1: `profiles.routes` must be a list of tables (`[[profiles.routes]]`); found a table"
        ]
    );
    assert_eq!(
        problems("[profiles]\nroutes = [\"slack\"]\n"),
        ["line 2: `profiles.routes.1` must be a table; found the string \"slack\""]
    );
}

#[test]
fn what_is_shown_can_be_read_again() {
    let file = ConfigFile::new("angelia.toml".into(), Named::Usually);
    let shown = show(&resolved(TWO).effective, &file);
    let profiles = |text| resolved(text).settings.profiles;
    assert_eq!(profiles(&shown), profiles(TWO));
}
