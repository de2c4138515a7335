use angelia_core::access::rank::may_use;
use angelia_core::access::{Pairing, Policy};
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Platform};
use angelia_core::toolset::Role;

use super::super::raw;
use super::super::resolve::{Overrides, Resolved, resolve};

fn read(text: &str) -> Result<Resolved, Vec<String>> {
    let resolved = resolve(raw::read(text), &Overrides::default());
    resolved.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn policy(text: &str) -> Policy {
    let text = format!("[access]\n{text}");
    read(&text).unwrap().settings.access
}

fn at(kind: ChatKind) -> Address {
    Address {
        platform: Platform::Telegram,
        account: AccountId::of(Platform::Telegram),
        chat: Chat {
            id: "c".to_owned(),
            kind,
        },
        thread: None,
    }
}

#[test]
fn strangers_get_what_the_file_says_and_else_what_the_lists_say() {
    assert_eq!(policy("").pairing, Pairing::Unlisted);
    assert_eq!(policy("pairing = \"direct\"").pairing, Pairing::Direct);
    assert_eq!(policy("pairing = \"off\"").pairing, Pairing::Off);
}

#[test]
fn operators_hold_in_groups_too_unless_others_are_named_there() {
    let both = policy("operators = [\"telegram:1\"]\ncommands = [\"Status\", \"fork\"]");
    for kind in [ChatKind::Dm, ChatKind::Group] {
        let may = |name| may_use(&both, &at(kind), Role::Member, name);
        assert!(may("status") && may("branch") && may("help"));
        assert!(!may("model"));
    }
    let apart = policy("operators = [\"telegram:1\"]\ngroup_operators = []");
    assert!(may_use(&apart, &at(ChatKind::Group), Role::Member, "model"));
    assert!(!may_use(&apart, &at(ChatKind::Dm), Role::Member, "model"));
}

#[test]
fn what_is_no_command_is_told_with_the_nearest() {
    let wrong = read("[access]\ncommands = [\"statis\"]\n").unwrap_err();
    let said = format!("{wrong:?}");
    assert!(
        said.contains("no command") && said.contains("status"),
        "{said}"
    );
}
