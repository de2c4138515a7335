use super::{is_debian, on_path};

#[test]
fn debian_is_told_from_its_relatives() {
    assert!(is_debian("NAME=\"Debian GNU/Linux\"\nID=debian\n"));
    assert!(!is_debian("ID=ubuntu\nID_LIKE=debian\n"));
    assert!(!is_debian(""));
}

#[test]
fn a_program_is_found_on_the_search_path_by_any_of_its_names() {
    let found = on_path(&["no-such-program-here", "sh"]);
    assert!(found.is_some_and(|path| path.ends_with("sh")));
    assert!(on_path(&["no-such-program-here"]).is_none());
}
