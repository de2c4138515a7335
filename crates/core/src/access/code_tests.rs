use super::*;
use proptest::prelude::*;

#[test]
fn a_code_has_eight_letters_of_the_alphabet_and_prints_as_stars() {
    let code = Code::of([0, 0, 0, 0, 0]);
    assert_eq!(code.reveal(), "AAAAAAAA");
    assert_eq!(Code::of([255; CODE_BYTES]).reveal(), "99999999");
    assert_eq!(format!("{code:?}"), HIDDEN);
}

#[test]
fn what_somebody_writes_is_read_whatever_its_case() {
    let code = Code::read(" abcd2345\n").unwrap();
    assert_eq!(code.reveal(), "ABCD2345");
    for text in [
        "",
        "ABCD234",
        "ABCD23456",
        "ABCD234O",
        "ABCD2340",
        "ÄBCD234",
    ] {
        assert_eq!(Code::read(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn every_code_is_read_back_and_fits_its_own_seal_alone(
        bits: [u8; CODE_BYTES], other: [u8; CODE_BYTES], salt: [u8; SALT_BYTES],
    ) {
        let code = Code::of(bits);
        let read = Code::read(&code.reveal().to_lowercase());
        prop_assert_eq!(read.as_ref(), Some(&code));
        let sealed = code.seal(salt);
        prop_assert!(sealed.fits(&code));
        prop_assert_eq!(sealed.fits(&Code::of(other)), bits == other);
    }
}
