//! PostgreSQL over an encrypted connection: who is believed, who is not, and what is said then.

use angelia_core::id::{InboxId, NodeId};
use angelia_store::StoreError;
use angelia_store::neighbours::{Heard, Neighbours as _};
use angelia_store::postgres::{Link, look, open};
use angelia_store::views::Views as _;
use angelia_testkit::server::cluster::{Cluster, PASSWORD};

/// The address of the server under this name, with these words at its end.
fn address(server: &Cluster, host: &str, words: &str) -> String {
    let port = server.port;
    format!("postgres://anna:{PASSWORD}@{host}:{port}/postgres{words}")
}

/// Words that name a file with an authority.
fn believing(server: &Cluster, number: usize, mode: &str) -> String {
    let path = server.certificates()[number].display().to_string();
    format!("?sslmode={mode}&sslrootcert={}", path.replace('/', "%2F"))
}

fn link(address: &str) -> Link {
    look(address)
        .unwrap_or_else(|error| panic!("{address}: {error}"))
        .1
}

/// What is said of a server that is not believed, without the password.
fn refused(address: &str) -> String {
    let Err(StoreError::Unavailable(words)) = look(address) else {
        panic!("{address} is believed");
    };
    assert!(!words.contains(PASSWORD), "{words}");
    assert!(words.contains("PostgreSQL at "), "{words}");
    words
}

#[test]
fn a_connection_is_as_safe_as_its_address_asks_for() {
    let Some(server) = Cluster::encrypted() else {
        return;
    };
    let to = |host: &str, words: &str| address(&server, host, words);
    let authority = |mode: &str| believing(&server, 0, mode);
    assert_eq!(link(&to("127.0.0.1", "?sslmode=disable")), Link::Open);
    assert_eq!(link(&to("127.0.0.1", "")), Link::Encrypted);
    assert_eq!(link(&to("127.0.0.1", "?sslmode=require")), Link::Encrypted);
    assert_eq!(link(&to("127.0.0.1", &authority("require"))), Link::Known);
    assert_eq!(link(&to("127.0.0.1", &authority("verify-ca"))), Link::Known);
    assert_eq!(
        link(&to("localhost", &authority("verify-full"))),
        Link::Checked
    );
    let itself = believing(&server, 2, "verify-full");
    assert_eq!(link(&to("localhost", &itself)), Link::Checked);

    let words = refused(&to("127.0.0.1", &authority("verify-full")));
    assert!(words.contains("for another name"), "{words}");
    let words = refused(&to("localhost", &believing(&server, 1, "verify-full")));
    assert!(words.contains("nobody who is believed"), "{words}");
    assert!(words.contains("sslrootcert=FILE"), "{words}");
    let words = refused(&to("localhost", "?sslmode=verify-full"));
    assert!(
        words.contains("nobody who is believed") || words.contains("authorities"),
        "{words}"
    );
    let words = refused(&to("localhost", "?sslmode=require").replace(PASSWORD, "guess"));
    assert!(
        words.contains("check user and password") && !words.contains("guess"),
        "{words}"
    );
}

#[test]
fn a_server_that_does_not_encrypt_is_told_nothing_unless_it_may_be() {
    let Some(server) = Cluster::of_this_test() else {
        return;
    };
    let to = |words: &str| address(&server, "127.0.0.1", words);
    assert_eq!(link(&to("")), Link::Open, "it is on this machine");
    for words in ["?sslmode=require", &believing(&server, 0, "verify-full")] {
        let words = refused(&to(words));
        assert!(words.contains("does not encrypt"), "{words}");
        assert!(words.contains("sslmode=disable"), "{words}");
    }
    let gone = server.port;
    drop(server);
    let nobody = format!("postgres://anna:{PASSWORD}@127.0.0.1:{gone}/postgres?sslmode=require");
    assert!(refused(&nobody).contains("cannot be reached"));
}

#[test]
fn a_file_without_authorities_is_named() {
    let empty = tempfile::NamedTempFile::new().expect("there is room");
    for path in [
        empty.path().display().to_string(),
        "/nowhere/ca.crt".to_owned(),
    ] {
        let address = format!("postgres://anna:{PASSWORD}@localhost:1/h?sslrootcert={path}");
        let Err(StoreError::Unavailable(words)) = look(&address) else {
            panic!("there is nothing to believe");
        };
        assert!(words.contains(&path) && words.contains("PEM"), "{words}");
        assert!(!words.contains(PASSWORD), "{words}");
    }
}

#[tokio::test]
async fn verbs_and_bells_go_over_an_encrypted_connection() {
    let Some(server) = Cluster::encrypted() else {
        return;
    };
    let address = address(&server, "localhost", &believing(&server, 0, "verify-full"));
    let store = open(&address).expect("it opens");
    let story = store
        .story(InboxId::from_bits(1))
        .await
        .expect("it answers");
    assert!(story.is_none());
    assert_eq!(
        store
            .neighbours(NodeId::from_bits(1))
            .await
            .expect("it answers"),
        0
    );
    let mut heard = store.hear().expect("it is shared");
    let telling = async {
        loop {
            store.tell("look").await.expect("it answers");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let hearing = async { while heard.recv().await != Some(Heard::Words("look".to_owned())) {} };
    tokio::select! {
        () = hearing => (),
        () = telling => (),
    }
}
