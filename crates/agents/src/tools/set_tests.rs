use super::*;

#[test]
fn what_is_not_in_the_set_is_not_found_and_what_was_meant_is_offered() {
    let set = Toolset::default();
    assert!(set.maker("terminal").is_some());
    assert!(set.maker("teminal").is_none());
    let why = set.no_tool("teminal");
    assert!(why.contains("did you mean `terminal`?"), "{why}");
    let why = Toolset::new([]).no_tool("terminal");
    assert!(why.contains("there are none here"), "{why}");
}

#[test]
fn the_tools_of_the_house_are_described_once() {
    let (one, other) = (Toolset::default(), Toolset::default());
    assert!(Arc::ptr_eq(one.schemas(), other.schemas()));
}
