use std::collections::BTreeSet;

use super::*;

#[test]
fn every_category_stands_at_its_own_place_in_the_table() {
    for (place, category) in Category::all().enumerate() {
        assert_eq!(category as usize, place, "{category:?}");
    }
    assert_eq!(C::OpenShell as usize + 1, TABLE.len());
}

#[test]
fn no_two_categories_share_a_name_or_words() {
    let keys: BTreeSet<&str> = Category::all().map(Category::key).collect();
    let words: BTreeSet<&str> = Category::all().map(Category::words).collect();
    assert_eq!((keys.len(), words.len()), (TABLE.len(), TABLE.len()));
}

#[test]
fn names_are_plain_snake_case() {
    for category in Category::all() {
        let plain = |char: char| char.is_ascii_lowercase() || char == '_';
        assert!(category.key().chars().all(plain), "{}", category.key());
    }
}
