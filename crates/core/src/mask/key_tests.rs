use super::*;

fn after(lines: &[&str]) -> Key {
    lines
        .iter()
        .fold(Key::default(), |key, line| key.after(line))
}

#[test]
fn a_key_lasts_from_its_first_line_to_its_last() {
    let begin = "-----BEGIN RSA PRIVATE KEY-----";
    let end = "-----END RSA PRIVATE KEY-----";
    assert!(matches!(after(&["a", begin]), Key::Inside(_)));
    assert!(matches!(after(&[begin, "MIIabc"]), Key::Inside(_)));
    assert_eq!(after(&[begin, "MIIabc", end]), Key::Outside);
    assert_eq!(after(&[&format!("{begin}MIIabc{end}")]), Key::Outside);
    assert_eq!(after(&["-----BEGIN CERTIFICATE-----"]), Key::Outside);
}

#[test]
fn what_goes_on_for_too_long_was_no_key() {
    let long = "x".repeat(limits::MASK_KEY_BYTES);
    let key = after(&["-----BEGIN PRIVATE KEY-----", &long]);
    assert_eq!(key, Key::Outside);
}
