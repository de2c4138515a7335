use super::*;

#[test]
fn the_words_of_a_command_stay_words() {
    let words = ["my agent", "acp", "it's $HOME"].map(str::to_owned);
    assert_eq!(command(&words), r"exec 'my agent' acp 'it'\''s $HOME'");
}
