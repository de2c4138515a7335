use super::{read, said};
use crate::StoreError;

#[test]
fn a_place_is_said_without_user_and_password() {
    let config = read("postgres://someone:hunter2@db.example.org:5433/house").unwrap();
    assert_eq!(said(&config), "PostgreSQL at db.example.org:5433/house");
}

#[test]
fn an_address_that_cannot_be_read_is_not_repeated() {
    let Err(StoreError::Unavailable(words)) = read("postgres://someone:hun@ter2@:x/") else {
        panic!("it is no address");
    };
    assert!(!words.contains("hun"), "{words}");
}
