use super::*;

fn resting(seq: i64) -> Session {
    Session {
        seq,
        id: SessionId::from_bits(7),
        waiting: 0,
        rests: true,
    }
}

#[test]
fn a_message_more_is_remembered_with_its_conversation() {
    let door = Door::default();
    assert_eq!(door.session("a"), None);
    door.added("a", &resting(1));
    let session = door.session("a").unwrap();
    assert_eq!((session.seq, session.waiting, session.rests), (1, 1, false));
    door.added("a", &session);
    assert_eq!(door.session("a").unwrap().waiting, 2);
    assert_eq!(door.session("b"), None);
}

#[test]
fn it_forgets_when_told_and_when_it_is_full() {
    let door = Door::default();
    door.added("a", &resting(1));
    door.forget();
    assert_eq!(door.session("a"), None);
    for seq in 0..=SCOPES_MAX as i64 {
        door.added(&seq.to_string(), &resting(seq));
    }
    assert_eq!(door.session("0"), None);
    assert!(door.session(&SCOPES_MAX.to_string()).is_some());
    assert_eq!(door.sessions.borrow().len(), 1);
}
