use super::{Reader, Tokens, quoted};

#[test]
fn words_are_read_without_case_and_accents() {
    let read = Reader::default()
        .read(Tokens::Words, "Ça va, O'Neill?")
        .unwrap();
    let words: Vec<(&str, i64)> = read.iter().map(|(word, at)| (word.as_str(), *at)).collect();
    assert_eq!(words, [("ca", 0), ("va", 1), ("o", 2), ("neill", 3)]);
}

#[test]
fn nothing_of_a_text_is_left_for_the_next() {
    let reader = Reader::default();
    reader.read(Tokens::Words, "one").unwrap();
    assert_eq!(
        reader.read(Tokens::Words, "two").unwrap(),
        [("two".to_owned(), 0)]
    );
}

#[test]
fn a_vector_tells_the_places_of_each_word() {
    let vector = Reader::default()
        .vector(Tokens::Words, "to be or not to be")
        .unwrap();
    assert_eq!(vector, "'be':2,6 'not':4 'or':3 'to':1,5 ");
}

#[test]
fn groups_are_three_characters_each() {
    let read = Reader::default().read(Tokens::Groups, "日本語で").unwrap();
    let groups: Vec<&str> = read.iter().map(|(group, _)| group.as_str()).collect();
    assert_eq!(groups, ["日本語", "本語で"]);
}

#[test]
fn signs_of_the_notation_stand_for_themselves() {
    assert_eq!(quoted("a'b\\"), "'a''b\\\\'");
}
