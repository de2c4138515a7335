use super::*;

fn choices() -> Vec<Choice> {
    let titles = [
        None,
        Some("Rome"),
        Some("Rome #2"),
        Some("Work plan"),
        Some("Work log"),
    ];
    let numbered = (1..).zip(titles);
    numbered
        .map(|(number, text)| Choice {
            id: SessionId::from_bits((number as u128) << 100),
            number,
            title: text.and_then(|text| Title::clean(text).unwrap()),
        })
        .collect()
}

fn number(wanted: &str) -> Option<usize> {
    let choices = choices();
    match choose(wanted, &choices) {
        Meant::One(id) => choices
            .iter()
            .find(|one| one.id == id)
            .map(|one| one.number),
        Meant::Several => Some(0),
        Meant::Nothing => None,
    }
}

#[test]
fn a_number_a_title_or_the_beginning_of_one_is_enough() {
    assert_eq!(number("4"), Some(4));
    assert_eq!(number("Rome"), Some(3), "the latest of that name");
    assert_eq!(number("work p"), Some(4));
    assert_eq!(number("WORK"), Some(0), "that fits two");
    assert_eq!(number("9"), None);
    assert_eq!(number("Paris"), None);
}

#[test]
fn an_id_is_found_whole_and_by_a_beginning_that_only_it_has() {
    let first = choices()[0].id.to_string();
    assert_eq!(number(&first), Some(1));
    assert_eq!(number(&first[..10]), Some(1));
    assert_eq!(number("ses_"), Some(0));
}
