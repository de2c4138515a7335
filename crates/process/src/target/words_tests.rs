use std::process::Command;

use super::*;

fn said_by_shell(script: &str) -> Vec<u8> {
    let ran = Command::new("/bin/sh")
        .args(["-c", script])
        .output()
        .unwrap();
    assert!(ran.status.success());
    ran.stdout
}

#[test]
fn a_quoted_word_reaches_a_command_as_it_is() {
    for word in [
        "",
        "a b",
        "it's",
        "$HOME `id` \\ \"",
        "-n",
        "two\nlines",
        "~ * ?",
    ] {
        let script = format!("printf %s {}", quoted(word));
        assert_eq!(said_by_shell(&script), word.as_bytes(), "{word}");
    }
}

#[test]
fn every_byte_is_printed_as_it_is() {
    let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
    let script = format!("printf '{}'", printed(&bytes));
    assert_eq!(said_by_shell(&script), bytes);
    assert_eq!(
        said_by_shell(&format!("printf {}", quoted(&printed(b"1\n2 %s-")))),
        b"1\n2 %s-"
    );
}

#[test]
fn a_line_keeps_its_words_apart() {
    let script = format!(
        "for word in {}; do printf '<%s>' \"$word\"; done",
        line(["a b", "", "c'"])
    );
    assert_eq!(said_by_shell(&script), b"<a b><><c'>");
}

#[test]
fn only_names_that_a_shell_knows_become_variables() {
    for name in ["A", "_a1", "LC_ALL"] {
        assert!(is_variable(name));
    }
    for name in ["", "1A", "A-B", "A B", "A;id"] {
        assert!(!is_variable(name));
    }
}
