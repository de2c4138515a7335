use proptest::prelude::*;

use super::*;

fn reason() -> impl Strategy<Value = Reason> {
    prop::sample::select(Reason::ALL)
}

fn life() -> impl Strategy<Value = Life> {
    prop_oneof![Just(Life::Live), reason().prop_map(Life::Ended)]
}

#[test]
fn every_reason_reads_back_from_its_name() {
    for reason in Reason::ALL {
        assert_eq!(reason.as_str().parse(), Ok(*reason));
        let written = serde_json::to_value(reason).unwrap();
        assert_eq!(written, reason.as_str());
    }
}

#[test]
fn a_misspelled_reason_is_refused() {
    let refused = "sesion_reset".parse::<Reason>().unwrap_err();
    assert!(refused.to_string().contains("`sesion_reset`"));
}

#[test]
fn a_reset_takes_the_place_of_an_accident() {
    let closed = Life::Live.end(Reason::AgentClose);
    assert_eq!(
        closed.promote(Reason::SessionReset),
        Promotion::Took(Reason::SessionReset)
    );
    let done = Life::Live.end(Reason::Compression);
    assert_eq!(
        done.promote(Reason::SessionReset),
        Promotion::Kept(Reason::Compression)
    );
}

proptest! {
    /// D1
    #[test]
    fn the_first_reason_wins(life in life(), one in reason(), other in reason()) {
        prop_assert_eq!(life.end(one).end(other), life.end(one));
    }

    /// D1
    #[test]
    fn a_boundary_changes_only_what_is_live_or_an_accident(life in life(), boundary in reason()) {
        let may = match life {
            Life::Live => true,
            Life::Ended(reason) => reason.is_accident(),
        };
        let promotion = life.promote(boundary);
        prop_assert_eq!(promotion == Promotion::Took(boundary), may);
        prop_assert_eq!(Life::from(promotion), if may { Life::Ended(boundary) } else { life });
    }

    /// D1
    #[test]
    fn reopening_forgets_every_end(life in life(), reason in reason()) {
        prop_assert_eq!(life.end(reason).reopen(), Life::Live);
    }
}
