use super::*;

#[test]
fn what_cannot_be_seen_is_not_read() {
    assert_eq!(plain("\u{202e}rm\u{200b} -rf\u{feff} /\0"), "rm -rf /");
    assert_eq!(plain("\u{1b}[1;31mrm\u{1b}[0m x"), "rm x");
    assert_eq!(plain("r\u{1b}Mm"), "rm");
}

#[test]
fn letters_that_only_look_different_are_read_as_what_they_look_like() {
    assert_eq!(plain("ｒｍ　－ｒｆ ／"), "rm -rf /");
    assert_eq!(plain("𝐫𝐦 ⓡⓜ 𝟘𝟡"), "rm rm 09");
}

#[test]
fn lines_tabs_and_other_scripts_stay() {
    assert_eq!(plain("ls\t-l\nätest 日本\r\n"), "ls\t-l\nätest 日本\r\n");
}
