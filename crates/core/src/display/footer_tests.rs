use super::{Facts, Field, line};

#[test]
fn halves_go_to_the_even_number_and_nothing_is_over_a_hundred() {
    let shown = |tokens| {
        let facts = Facts {
            tokens,
            window: Some(1000),
            ..Facts::default()
        };
        line(&facts, &[Field::Context])
    };
    assert_eq!(shown(135), "14%");
    assert_eq!(shown(145), "14%");
    assert_eq!(shown(146), "15%");
    assert_eq!(shown(5000), "100%");
}

#[test]
fn what_is_not_known_is_left_out() {
    assert_eq!(line(&Facts::default(), &Field::USUAL), "");
    let facts = Facts {
        window: Some(0),
        directory: "/homework",
        home: "/home",
        ..Facts::default()
    };
    assert_eq!(line(&facts, &Field::USUAL), "/homework");
}
