use super::*;

const US: NodeId = NodeId::from_bits(1);
const THEM: NodeId = NodeId::from_bits(2);

fn chat(number: usize) -> Ring {
    let name = format!("a chat with a long name, number {number}\n\t\"");
    Ring::Chat(AccountId("api".to_owned()), name)
}

#[test]
fn what_one_node_rings_another_hears_and_the_ringer_does_not() {
    let rings = [
        Ring::Inbox,
        Ring::Outbox(AccountId("telegram".to_owned())),
        chat(1),
        Ring::Stop(SessionId::from_bits(7)),
    ];
    let said = said(US, rings.clone());
    assert_eq!(said.len(), 1);
    assert_eq!(heard(&said[0], THEM), rings);
    assert!(heard(&said[0], US).is_empty());
}

#[test]
fn many_rings_are_told_in_pieces_and_none_is_lost() {
    let rings: Vec<Ring> = (0..1_000).map(chat).collect();
    let said = said(US, rings.clone());
    assert!(said.len() > 1);
    assert!(said.iter().all(|one| one.len() <= limits::TOLD_BYTES_MAX));
    let heard: Vec<Ring> = said.iter().flat_map(|one| heard(one, THEM)).collect();
    assert_eq!(heard, rings);
}

#[test]
fn what_is_too_long_or_unknown_is_passed_over() {
    let long = Ring::Chat(AccountId("api".to_owned()), "c".repeat(9_000));
    assert!(said(US, [long]).is_empty());
    let newer = format!(r#"{{"by":"{THEM}","rings":["inbox",{{"moon":1}},"leases"]}}"#);
    assert_eq!(heard(&newer, US), [Ring::Inbox, Ring::Leases]);
    assert!(heard("nonsense", US).is_empty());
}
