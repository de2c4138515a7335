use super::*;
use crate::process::How;

const ID: &str = "prc_00000000000000000000000007";

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

fn said(one: &News) -> String {
    news(ProcessId::from_bits(7), "make all", one)
}

#[test]
fn a_hit_is_told_with_its_words_and_what_was_left_out() {
    let hit = |suppressed| News::Hit {
        pattern: "READY".into(),
        lines: "server READY".into(),
        suppressed,
    };
    assert_eq!(
        said(&hit(0)),
        format!(
            "[Background process {ID} said \"READY\"]\nCommand: make all\nIts words:\nserver READY"
        )
    );
    assert!(said(&hit(4)).contains("(4 more such lines"));
}

#[test]
fn every_kind_of_news_names_the_process_and_what_matters() {
    let told = [
        (News::StruckOut { suppressed: 5 }, "Its end will be told"),
        (News::Paused, "for 30 s"),
        (News::Resumed { missed: 6 }, "6 messages"),
        (
            News::Update {
                output: "step 2".into(),
            },
            "New words:\nstep 2",
        ),
    ];
    for (news, words) in told {
        let text = said(&news);
        assert!(
            text.starts_with(&format!("[Background process {ID} ")),
            "{text}"
        );
        assert!(text.contains(words) && text.contains("make all"), "{text}");
    }
}

#[test]
fn a_cut_falls_between_lines_and_is_said() {
    let line = "x".repeat(150);
    let many: String = (0..30).map(|number| format!("{number} {line}\n")).collect();
    let lines = last_lines(&many);
    assert!(lines.starts_with("18 x"), "{lines}");
    let text = told("make", &End::Lost, &many);
    assert!(text.contains("more stands in its log"), "{text}");
    assert_eq!(
        update(&"é".repeat(900)).chars().count(),
        limits::UPDATE_CHARS
    );
}
