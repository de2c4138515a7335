use super::{Database, read, shown};

#[test]
fn a_file_or_a_server() {
    assert_eq!(read("sqlite"), Ok(Database::Sqlite));
    let server = read("postgres://anna:geheim@db:5433/house").unwrap();
    let Database::Postgres(address) = &server else {
        panic!("it is a server");
    };
    assert_eq!(address.reveal(), "postgres://anna:geheim@db:5433/house");
    assert!(!format!("{server:?}").contains("geheim"));
}

#[test]
fn a_password_is_not_shown() {
    for (text, hidden) in [
        ("postgres://anna:geheim@db/x", "postgres://anna:…@db/x"),
        ("postgres://anna:ge@heim@db/x", "postgres://anna:…@db/x"),
        (
            "postgres://db/x?user=a&password=geheim",
            "postgres://db/x?user=a&password=…",
        ),
        ("postgres://anna@db/x", "postgres://anna@db/x"),
        ("sqlite", "sqlite"),
    ] {
        assert_eq!(shown(text), hidden);
    }
}

#[test]
fn an_address_that_cannot_be_read_is_not_repeated() {
    let says = read("postgres://anna:geheim@db:port/x").unwrap_err();
    assert!(!says.contains("geheim"), "{says}");
    let says = read("geheim").unwrap_err();
    assert!(!says.contains("geheim"), "{says}");
}
