use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Ambient, Change, Identity, LateDelivery, Variable, Variables};

fn identity(platform: &str, id: &str) -> Identity {
    Identity {
        platform: platform.to_owned(),
        chat_id: "c1".to_owned(),
        chat_name: "Team".to_owned(),
        thread_id: String::new(),
        user_id: "u1".to_owned(),
        user_name: "Ann".to_owned(),
        message_id: "m1".to_owned(),
        key: "agent:main:x".to_owned(),
        id: id.to_owned(),
    }
}

/// An environment in which somebody else's turn left every variable.
fn stale() -> BTreeMap<String, String> {
    let all = Variable::ALL.map(|variable| (variable.name().to_owned(), "stale".to_owned()));
    all.into_iter().collect()
}

#[test]
fn an_unset_one_reads_what_a_child_of_a_turn_was_started_with() {
    let started = stale();
    let unset = Variables::unset();
    let ambient = Ambient::Inherited(&started);
    assert_eq!(unset.read(Variable::Key, ambient), Some("stale"));
    assert_eq!(
        unset.for_child(ambient)["ANGELIA_SESSION_KEY"],
        Change::Keep
    );
}

#[test]
fn the_gateway_never_believes_what_it_was_started_with() {
    let unset = Variables::unset();
    for variable in Variable::ALL {
        assert_eq!(unset.read(variable, Ambient::Ignored), None);
    }
    let child = unset.for_child(Ambient::Ignored);
    assert!(child.values().all(|change| *change == Change::Remove));
}

#[test]
fn what_an_identity_does_not_have_is_empty_and_not_inherited() {
    let started = stale();
    let bound = Variables::of(identity("telegram", "ses_1"));
    let ambient = Ambient::Inherited(&started);
    assert_eq!(bound.read(Variable::ThreadId, ambient), Some(""));
    assert_eq!(
        bound.for_child(ambient)["ANGELIA_SESSION_THREAD_ID"],
        Change::Set(String::new())
    );
}

#[test]
fn a_stateless_caller_is_told_so_until_the_turn_is_over() {
    let bound = Variables::of(identity("api", "ses_1"));
    assert_eq!(bound.late_delivery(), LateDelivery::Supported);
    let stateless = bound.with_late_delivery(LateDelivery::Unsupported);
    assert_eq!(stateless.clone().late_delivery(), LateDelivery::Unsupported);
    let over = Variables::cleared();
    assert_eq!(over.late_delivery(), LateDelivery::Supported);
    let alone = Variables::unset().with_late_delivery(LateDelivery::Unsupported);
    assert_eq!(alone.read(Variable::Id, Ambient::Ignored), None);
}

#[test]
fn a_conversation_that_takes_over_keeps_all_but_the_id() {
    let before = Variables::of(identity("telegram", "ses_1"));
    let after = before.clone().continued_as("ses_2".to_owned());
    assert_eq!(after.read(Variable::Id, Ambient::Ignored), Some("ses_2"));
    assert_eq!(before.read(Variable::Id, Ambient::Ignored), Some("ses_1"));
    assert_eq!(
        after.read(Variable::ChatId, Ambient::Ignored),
        before.read(Variable::ChatId, Ambient::Ignored)
    );
    let nobody = Variables::unset().continued_as("ses_2".to_owned());
    assert_eq!(nobody, Variables::unset());
}

#[test]
fn a_name_with_a_nul_in_it_does_not_stop_the_child() {
    let mut named = identity("telegram", "ses_1");
    named.user_name = "A\0nn".to_owned();
    let child = Variables::of(named).for_child(Ambient::Ignored);
    assert_eq!(
        child["ANGELIA_SESSION_USER_NAME"],
        Change::Set("Ann".to_owned())
    );
}

fn any_variables() -> impl Strategy<Value = Variables> {
    let late = prop::sample::select(vec![LateDelivery::Supported, LateDelivery::Unsupported]);
    let set = ("[a-z]{1,5}", "[a-z]{1,5}").prop_map(|(p, id)| Variables::of(identity(&p, &id)));
    let state = prop_oneof![Just(Variables::unset()), Just(Variables::cleared()), set];
    (state, late).prop_map(|(variables, late)| variables.with_late_delivery(late))
}

fn any_environment() -> impl Strategy<Value = BTreeMap<String, String>> {
    let name = prop::sample::select(Variable::ALL.to_vec());
    let pair = (name.prop_map(|v| v.name().to_owned()), "[a-z]{0,5}");
    prop::collection::btree_map(pair.0, pair.1, 0..9)
}

fn all_of(variables: &Variables) -> Vec<Option<String>> {
    let read = |v| variables.read(v, Ambient::Ignored).map(str::to_owned);
    Variable::ALL.into_iter().map(read).collect()
}

proptest! {
    #[test]
    fn what_one_task_binds_no_other_sees(
        parent in any_variables(),
        child in any_variables(),
        id in "[a-z]{1,5}",
    ) {
        let before = all_of(&parent);
        let sibling = parent.clone();
        let mut spawned = parent.clone().continued_as(id);
        prop_assert_eq!(all_of(&sibling), before.clone());
        spawned.clone_from(&child);
        prop_assert_eq!(all_of(&spawned), all_of(&child));
        prop_assert_eq!(all_of(&sibling), before.clone());
        prop_assert_eq!(all_of(&parent), before);
    }

    #[test]
    fn after_clearing_everything_is_empty_whatever_the_environment(
        started in any_environment(),
    ) {
        let over = Variables::cleared();
        for ambient in [Ambient::Ignored, Ambient::Inherited(&started)] {
            for variable in Variable::ALL {
                prop_assert_eq!(over.read(variable, ambient), Some(""));
            }
        }
    }

    #[test]
    fn a_child_gets_exactly_what_its_turn_reads(
        variables in any_variables(),
        started in any_environment(),
    ) {
        for ambient in [Ambient::Ignored, Ambient::Inherited(&started)] {
            let changes = variables.for_child(ambient);
            for variable in Variable::ALL {
                let got = match &changes[variable.name()] {
                    Change::Set(value) => Some(value.as_str()),
                    Change::Remove => None,
                    Change::Keep => started.get(variable.name()).map(String::as_str),
                };
                prop_assert_eq!(got, variables.read(variable, ambient));
            }
        }
    }
}
