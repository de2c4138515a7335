use super::*;

use crate::config::raw;
use crate::config::resolve::{Overrides, resolve};

fn choice(text: &str) -> Choice {
    let resolved = resolve(raw::read(text), &Overrides::default()).unwrap();
    resolved.settings.approvals
}

fn problems(text: &str) -> Vec<String> {
    let found = resolve(raw::read(text), &Overrides::default()).unwrap_err();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn people_are_asked_unless_somebody_chose_otherwise() {
    assert_eq!(choice(""), Choice::default());
    assert_eq!(choice("").time, limits::APPROVAL_TIME);
}

#[test]
fn the_table_is_obeyed() {
    let read = choice(
        "[approvals]\nmode = \"deny\"\ntimeout = \"90s\"\n\
         deny = [\"git push*\", \"rm, -r\"]\nallow = [\"make clean\"]\n",
    );
    assert_eq!(read.mode, Mode::Deny);
    assert_eq!(read.rules.mode, Asking::Manual);
    let off = choice("[approvals]\nmode = \"off\"\n");
    assert_eq!((off.mode, off.rules.mode), (Mode::Off, Asking::Off));
    assert_eq!(read.time, Span::seconds(90));
    assert_eq!(read.rules.deny, ["git push*", "rm, -r"]);
    assert_eq!(read.rules.allow, ["make clean"]);
}

#[test]
fn what_is_wrong_is_told() {
    let found = problems(
        "[approvals]\nmode = \"dney\"\ntimeout = \"1h\"\ndeny = [\" \"]\nallow = \"make\"\n",
    );
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found[0].ends_with("did you mean `deny`?"), "{found:#?}");
    assert!(found[1].contains("from 10 seconds to 25 minutes"));
    assert!(found[2].contains("has an empty pattern"));
    assert!(
        found[3].contains("must be a list of patterns"),
        "{found:#?}"
    );
}

#[test]
fn a_pattern_stands_on_one_line() {
    let found = problems("[approvals]\nallow = [\"a\\nb\"]\n");
    assert!(
        found[0].contains("must be a list of patterns"),
        "{found:#?}"
    );
}
