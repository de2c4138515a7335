use super::*;
use crate::process::How;

fn told(command: &str, end: &End, output: &str) -> String {
    text(&Told {
        id: ProcessId::from_bits(7),
        command,
        end,
        output,
    })
}

#[test]
fn an_end_is_told_with_the_command_and_the_last_words() {
    let end = End::Itself(How::Exited(3));
    assert_eq!(
        told("make all\n", &end, "one\ntwo\n\n"),
        "[Background process prc_00000000000000000000000007 exited with code 3]\n\
         Command: make all\nIts last words:\none\ntwo"
    );
}

#[test]
fn silence_and_loss_are_said() {
    let said = told("true", &End::Lost, "  \n");
    assert!(
        said.contains("is lost") && said.ends_with("It said nothing."),
        "{said}"
    );
}

#[test]
fn of_a_long_output_only_the_end_is_told() {
    let many: String = (1..=1000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let lines = last_lines(&many);
    assert_eq!(lines.lines().count(), limits::NOTICE_LINES);
    assert!(lines.ends_with("line 1000"));
    let wide = "é".repeat(100_000);
    assert_eq!(last_lines(&wide).chars().count(), limits::NOTICE_CHARS);
}

#[test]
fn a_long_command_is_cut_and_the_notice_fits_a_message() {
    let command = "x".repeat(limits::TEXT_BYTES_MAX);
    let said = told(&command, &End::Lost, &"y".repeat(100_000));
    assert!(said.contains("x…"));
    assert!(said.len() < limits::TEXT_BYTES_MAX);
}
