use super::*;

#[test]
fn each_reason_and_each_way_to_go_on_is_said_in_its_own_words() {
    let mut notes: Vec<String> = Interrupted::ALL
        .into_iter()
        .flat_map(|why| [GoesOn::Turn, GoesOn::Conversation].map(|what| note(why, what)))
        .collect();
    assert!(
        notes
            .iter()
            .all(|note| note.contains("do not ask for it again"))
    );
    notes.sort();
    notes.dedup();
    assert_eq!(notes.len(), 6);
}
