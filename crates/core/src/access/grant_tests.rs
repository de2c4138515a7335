use super::*;

#[test]
fn who_gave_it_is_read_back_as_it_was_written() {
    let person = By::Person {
        account: AccountId("work".into()),
        person: "@anna:example.org".into(),
    };
    for by in [By::Token, person] {
        assert_eq!(by.to_string().parse(), Ok(by));
    }
    for text in ["", "nobody", ":7", "telegram:"] {
        assert!(text.parse::<By>().is_err(), "{text}");
    }
}
