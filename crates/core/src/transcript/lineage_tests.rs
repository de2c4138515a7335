use proptest::prelude::*;

use super::*;

fn id(number: u8) -> SessionId {
    SessionId::from_bits(number.into())
}

fn node(number: u8, link: Option<(u8, Kind)>) -> Node {
    Node {
        id: id(number),
        link: link.map(|(parent, kind)| Link {
            parent: id(parent),
            kind,
        }),
        started_at: Timestamp::from_ms(number.into()),
        last_message_at: Some(Timestamp::from_ms(number.into())),
        life: Life::Live,
    }
}

fn ended(number: u8, link: Option<(u8, Kind)>, reason: Reason) -> Node {
    Node {
        life: Life::Ended(reason),
        ..node(number, link)
    }
}

fn lineage(nodes: &[Node]) -> Lineage {
    nodes.iter().copied().collect()
}

#[test]
fn export_list_resume_and_tip_follow_the_same_continuation() {
    let all = lineage(&[
        ended(1, None, Reason::Compression),
        node(2, Some((1, Kind::Delegate))),
        node(3, Some((1, Kind::Continuation))),
        ended(4, Some((1, Kind::Continuation)), Reason::WsOrphanReap),
        node(5, Some((3, Kind::Branch))),
    ]);
    assert_eq!(all.tip(id(1)), id(3));
    assert_eq!(all.resume_target(id(1)), id(3));
    assert_eq!(all.conversation(id(1)), [id(1), id(3)]);
    assert_eq!(all.conversation(id(3)), [id(1), id(3)]);
    let shown: Vec<_> = all
        .listed()
        .iter()
        .map(|line| (line.shown, line.root))
        .collect();
    assert_eq!(shown, [(id(5), id(5)), (id(3), id(1))]);
}

#[test]
fn a_helper_s_run_is_a_conversation_of_its_own() {
    let all = lineage(&[node(1, None), node(2, Some((1, Kind::Delegate)))]);
    assert_eq!(all.conversation(id(2)), [id(2)]);
    assert_eq!(all.root(id(2)), id(1));
    assert_eq!(all.listed().len(), 1);
}

#[test]
fn a_continuation_that_was_passed_over_still_knows_where_it_came_from() {
    let all = lineage(&[
        ended(1, None, Reason::Compression),
        node(2, Some((1, Kind::Continuation))),
        node(3, Some((1, Kind::Continuation))),
    ]);
    assert_eq!(all.conversation(id(1)), [id(1), id(3)]);
    assert_eq!(all.conversation(id(2)), [id(1), id(2)]);
}

#[test]
fn resuming_goes_to_the_last_place_where_something_was_said() {
    let silent = Node {
        last_message_at: None,
        ..node(3, Some((2, Kind::Parent)))
    };
    let all = lineage(&[node(1, None), node(2, Some((1, Kind::Parent))), silent]);
    assert_eq!(all.resume_target(id(1)), id(2));
    assert_eq!(all.tip(id(1)), id(1));
}

#[test]
fn a_session_whose_parent_is_gone_is_its_own_root_and_listed() {
    let all = lineage(&[node(2, Some((1, Kind::Continuation)))]);
    assert_eq!(all.root(id(2)), id(2));
    assert_eq!(all.conversation(id(2)), [id(2)]);
    assert_eq!(all.listed().len(), 1);
}

#[test]
fn sessions_in_a_circle_have_one_tip_and_one_root() {
    let all = lineage(&[
        ended(1, Some((2, Kind::Continuation)), Reason::Compression),
        ended(2, Some((1, Kind::Continuation)), Reason::Compression),
    ]);
    assert_eq!((all.tip(id(1)), all.tip(id(2))), (id(2), id(2)));
    assert_eq!((all.root(id(1)), all.root(id(2))), (id(1), id(1)));
    assert_eq!(all.conversation(id(1)).len(), 2);
    assert!(all.continues(id(1), id(2)) && !all.continues(id(1), id(1)));
}

fn kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(
        &[
            Kind::Parent,
            Kind::Continuation,
            Kind::Branch,
            Kind::Delegate,
        ][..],
    )
}

prop_compose! {
    fn any_node()(
        number in 0..8u8,
        link in prop::option::weighted(0.8, (0..9u8, kind())),
        life in prop::sample::select(&[Life::Live, Life::Ended(Reason::Compression), Life::Ended(Reason::Idle)][..]),
        said in prop::option::of(0..4i64),
    ) -> Node {
        Node { life, last_message_at: said.map(Timestamp::from_ms), ..node(number, link) }
    }
}

proptest! {
    /// D3, on any data: with circles, unknown parents and sessions that are their own parent.
    #[test]
    fn the_tip_of_the_tip_is_the_tip_and_a_parent_has_the_same_root(
        nodes in prop::collection::vec(any_node(), 1..12),
    ) {
        let all = lineage(&nodes);
        for node in all.nodes.values() {
            let tip = all.tip(node.id);
            prop_assert_eq!(all.tip(tip), tip);
            if let Some(parent) = all.parent(node.id) {
                prop_assert_eq!(all.root(node.id), all.root(parent));
            }
        }
    }

    /// D3: every walk ends, and a conversation has each of its sessions once, itself among them.
    #[test]
    fn a_conversation_has_each_of_its_sessions_once(nodes in prop::collection::vec(any_node(), 1..12)) {
        let all = lineage(&nodes);
        for node in all.nodes.values() {
            let path = all.conversation(node.id);
            let once: BTreeSet<_> = path.iter().collect();
            prop_assert_eq!(once.len(), path.len());
            prop_assert!(path.contains(&node.id));
            prop_assert!(path.windows(2).all(|pair| all.continued(pair[1]) == Some(pair[0])));
            all.resume_target(node.id);
        }
    }
}
