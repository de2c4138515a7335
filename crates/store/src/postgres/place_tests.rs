use super::{Mode, Roots, read, said};
use crate::StoreError;

#[test]
fn a_place_is_said_without_user_and_password() {
    let config = read("postgres://someone:hunter2@db.example.org:5433/house").unwrap();
    assert_eq!(
        said(&config.config),
        "PostgreSQL at db.example.org:5433/house"
    );
}

#[test]
fn an_address_that_cannot_be_read_is_not_repeated() {
    let Err(StoreError::Unavailable(words)) = read("postgres://someone:hun@ter2@:x/") else {
        panic!("it is no address");
    };
    assert!(!words.contains("hun"), "{words}");
}

#[test]
fn nothing_leaves_the_machine_in_the_open_unless_it_was_written_so() {
    for (address, mode) in [
        ("postgres://a@localhost/h", Mode::Prefer),
        ("postgres://a@127.0.0.1:5433/h", Mode::Prefer),
        ("postgres://a@[::1]/h", Mode::Prefer),
        ("postgres://a@%2Frun%2Fpostgresql/h", Mode::Prefer),
        ("postgres://a@db.example.org/h", Mode::Require),
        ("postgres://a@localhost,db.example.org/h", Mode::Require),
        ("postgres://a@localhost/h?hostaddr=10.0.0.1", Mode::Require),
        ("postgres://a@db/h?sslmode=disable", Mode::Disable),
        ("postgres://a@db/h?sslmode=prefer", Mode::Prefer),
        ("postgres://a@localhost/h?sslmode=verify-ca", Mode::VerifyCa),
        ("postgres://a@db/h?sslrootcert=system", Mode::VerifyFull),
    ] {
        assert_eq!(read(address).unwrap().mode, mode, "{address}");
    }
}

#[test]
fn what_only_we_understand_is_taken_out_of_the_address_and_the_rest_stays() {
    let address = "postgres://a:p%40ss@db/h?application_name=x&sslrootcert=%2Fetc%2Fdb%20ca.pem&sslmode=require";
    let read = read(address).unwrap();
    assert_eq!(read.roots, Some(Roots::File("/etc/db ca.pem".into())));
    assert_eq!(read.config.get_application_name(), Some("x"));
    assert_eq!(read.config.get_password(), Some(&b"p@ss"[..]));
    let Err(StoreError::Unavailable(words)) = super::read("postgres://a:p@db/h?sslmode=strong")
    else {
        panic!("there is no such mode");
    };
    assert!(words.contains("verify-full") && !words.contains("strong"));
}
