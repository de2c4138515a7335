use super::*;

#[test]
fn the_words_of_a_command_stay_words() {
    let words = [
        "my agent".to_owned(),
        "acp".to_owned(),
        "it's $HOME".to_owned(),
    ];
    let command = command(&words, Path::new("/h/a b"));
    assert_eq!(
        command,
        r"exec 'my agent' acp 'it'\''s $HOME' 2>>'/h/a b/complaints.log'"
    );
}

#[test]
fn long_complaints_are_let_go_and_short_ones_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(COMPLAINTS);
    fs::write(&file, "a warning\n").unwrap();
    trim_complaints(folder.path());
    assert_eq!(complaints(folder.path()), "a warning");
    fs::write(&file, vec![b'x'; COMPLAINTS_BYTES_MAX as usize + 1]).unwrap();
    assert_eq!(complaints(folder.path()).len(), COMPLAINTS_SHOWN as usize);
    trim_complaints(folder.path());
    assert_eq!(complaints(folder.path()), "");
}
