use proptest::prelude::*;

use super::*;

#[test]
fn one_person_has_one_id_whatever_stands_around_it() {
    for id in [
        "15551234567",
        "+15551234567",
        " 15551234567 ",
        "15551234567:47@s.whatsapp.net",
        "15551234567@s.whatsapp.net@x",
        "++15551234567 @lid",
    ] {
        assert_eq!(normalise(id), "15551234567", "{id}");
    }
}

#[test]
fn a_phone_number_gets_its_domain_and_an_address_loses_its_device() {
    assert_eq!(jid("+1 (555) 123-45.67"), "15551234567@s.whatsapp.net");
    assert_eq!(jid("1555:12@s.whatsapp.net"), "1555@s.whatsapp.net");
    assert_eq!(jid("g-1@g.us"), "g-1@g.us");
}

#[test]
fn what_is_no_number_is_left_alone() {
    for target in ["", "alice", "+", "...", "a:b", "１２３"] {
        assert_eq!(jid(target), target);
    }
}

proptest! {
    #[test]
    fn normalising_again_changes_nothing(id in ".{0,20}") {
        let once = normalise(&id);
        prop_assert_eq!(normalise(&once), once);
    }

    #[test]
    fn an_address_made_again_is_the_same(target in "[+0-9 a:@.()-]{0,12}") {
        let once = jid(&target);
        prop_assert_eq!(jid(&once), once);
    }
}
