use super::*;
use crate::access::grant::{By, Deed};
use crate::address::AccountId;
use crate::id::GrantId;

fn anna() -> Holder {
    Holder {
        platform: Platform::Telegram,
        account: AccountId("work".into()),
        person: "7".into(),
        name: Some("Anna".into()),
    }
}

#[test]
fn a_stranger_learns_the_code_and_what_to_do_with_it() {
    let code = Code::read("ABCD2345").unwrap();
    insta::assert_snapshot!(super::code(&code), @r"
    I do not know you yet. Give this code to whoever runs this bot, within an hour:

    ABCD2345

    Until then I cannot answer you.
    ");
    assert!(!hidden().contains("ABCD2345"));
}

#[test]
fn an_operator_sees_who_waits_and_who_was_let_in() {
    let (now, anna) = (Timestamp::from_ms(600_000), anna());
    assert_eq!(list(&[], &[], now), "Nobody waits to be let in.");
    let grant = Grant {
        id: GrantId::from_bits(2),
        holder: anna.clone(),
        role: Role::Member,
        given: Deed {
            by: By::Token,
            at: now,
            why: None,
        },
        revoked: None,
    };
    let waiting = [(KnockId::from_bits(1), &anna, Timestamp::from_ms(0))];
    insta::assert_snapshot!(list(&waiting, &[grant], now), @r"
    Waiting to be let in:
    Anna (work:7 on telegram), 10 min ago: /access approve knk_00000000000000000000000001

    Let in:
    Anna (work:7 on telegram), member, by token: grn_00000000000000000000000002
    ");
}

#[test]
fn what_could_be_a_code_is_hidden_and_the_rest_stays() {
    use crate::access::code::hide;
    assert_eq!(hide("/access  abcd2345 now"), "/access  ******** now");
    assert_eq!(hide("/access approve knk_1"), "/access approve knk_1");
}
