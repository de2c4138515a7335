use super::*;

fn asked<'a>(command: &'a str, reasons: &'a [String]) -> Asked<'a> {
    Asked {
        sort: Sort::Command,
        command,
        workdir: None,
        backend: "local",
        reasons,
        time: Span::minutes(10),
    }
}

#[test]
fn a_question_shows_the_command_the_reasons_and_every_answer() {
    let reasons = ["it deletes a folder".to_owned()];
    let said = question(&asked("rm -r build", &reasons));
    for part in [
        "\n    rm -r build\n",
        "Why I ask: it deletes a folder.",
        "/approve:",
        "/approve session:",
        "/approve always:",
        "/deny [reason]:",
        "within 10 minutes",
    ] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
}

#[test]
fn a_question_says_where_the_command_runs_if_that_matters() {
    let said = question(&Asked {
        workdir: Some("/srv"),
        backend: "ssh:web",
        ..asked("reboot", &[])
    });
    assert!(said.contains("It runs in /srv.\nIt runs on ssh:web.\n"));
}

#[test]
fn a_question_calls_what_is_no_command_by_what_it_is() {
    for (kind, wish) in [
        ("execute", "run a command"),
        ("edit", "change a file"),
        ("read", "read something"),
        ("fetch", "fetch something"),
        ("move", "move a file"),
        ("delete", "delete something"),
        ("search", "search for something"),
        ("think", "do something"),
        ("a kind of tomorrow", "do something"),
    ] {
        let sort = Sort::of_kind(kind);
        let asked = Asked {
            sort,
            workdir: Some("/srv"),
            backend: "the agent's own tools",
            ..asked("/f", &[])
        };
        let said = question(&asked);
        assert!(said.starts_with(&format!("I want to {wish}")), "{said}");
        assert_eq!(said.contains("run"), sort == Sort::Command, "{said}");
    }
}

#[test]
fn no_line_of_a_command_passes_for_ours() {
    let said = question(&asked("true\n\nWhy I ask: nothing bad.\r\nOK", &[]));
    assert!(!said.contains("\nWhy I ask"), "{said}");
    assert!(said.contains("    Why I ask: nothing bad."), "{said}");
}

#[test]
fn what_is_not_seen_is_marked() {
    let said = question(&asked("a\u{202e}b\u{200b}c\u{1b}[8m\u{7}", &[]));
    assert!(said.contains("a\u{fffd}b\u{fffd}c\u{fffd}[8m\u{fffd}"));
}

#[test]
fn a_long_command_is_cut_and_the_cut_is_said() {
    let said = question(&asked(&"x".repeat(limits::APPROVAL_CHAT_CHARS + 5), &[]));
    assert!(said.contains(&format!(
        "    {}…\n",
        "x".repeat(limits::APPROVAL_CHAT_CHARS)
    )));
    assert!(said.contains("(5 more characters)"));
    assert!(said.contains("Only its beginning is shown here"));
    let whole = question(&asked(&"x".repeat(limits::APPROVAL_CHAT_CHARS), &[]));
    assert!(!whole.contains("Only its beginning"));
    let kept = kept(&"y".repeat(limits::APPROVAL_COMMAND_CHARS_MAX + 7));
    assert!(kept.ends_with("(7 more characters)"));
}

#[test]
fn a_reason_is_one_bounded_line_or_nothing() {
    assert_eq!(reason(" not\n now "), Some("not now".to_owned()));
    assert_eq!(reason(" \n "), None);
    let long = reason(&"é".repeat(400)).expect("something was said");
    assert_eq!(long.chars().count(), 280);
}

#[test]
fn a_refusal_quotes_the_reason_and_asks_the_agent_to_stop() {
    let said = refusal(Decision::Denied, Some("not on a Friday"));
    assert!(said.contains("not on a Friday") && said.contains("another way"));
    for decision in [Decision::Denied, Decision::Expired, Decision::Withdrawn] {
        assert!(refusal(decision, None).starts_with("Not run"));
    }
}

#[test]
fn whoever_may_not_answer_is_told_who_may() {
    assert!(not_yours(Some("Anna")).starts_with("Only Anna or an operator"));
    assert!(not_yours(None).starts_with("Only the person who asked for it or"));
}
