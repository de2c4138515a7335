use super::*;
use proptest::prelude::*;

#[test]
fn an_id_parses_only_as_its_own_kind() {
    let turn = TurnId::from_bits(7).to_string();
    assert_eq!(turn, "trn_00000000000000000000000007");
    assert_eq!(turn.parse(), Ok(TurnId::from_bits(7)));
    assert!(turn.parse::<DeliveryId>().is_err());
}

#[test]
fn texts_that_are_no_ids_are_refused() {
    for text in [
        "",
        "trn_",
        "trn_7",
        "trn_8zzzzzzzzzzzzzzzzzzzzzzzzz",
        "trn_0000000000000000000000000U",
    ] {
        assert!(text.parse::<TurnId>().is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn text_and_bits_are_one_to_one_and_sort_alike(a: u128, b: u128) {
        let (left, right) = (InboxId::from_bits(a), InboxId::from_bits(b));
        prop_assert_eq!(left.to_string().parse::<InboxId>(), Ok(left));
        prop_assert_eq!(left.to_string().cmp(&right.to_string()), a.cmp(&b));
    }
}
