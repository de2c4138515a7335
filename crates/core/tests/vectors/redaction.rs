//! Secrets in texts, hidden for each place where a text is shown.

use angelia_core::mask::{self, Surface};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(flatten)]
    what: What,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum What {
    Redact {
        input: String,
        expect: Modes,
    },
    TerminalOutput {
        command: Option<String>,
        output: String,
        expect: Dump,
    },
    Mask {
        value: Option<String>,
        expect: Shapes,
    },
}

#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names of the vectors")]
struct Modes {
    log_mode: String,
    code_mode: String,
    file_read_mode: String,
    egress_mode: String,
}

#[derive(Deserialize)]
struct Dump {
    is_env_dump: bool,
    output: String,
}

#[derive(Deserialize)]
struct Shapes {
    display_mask: String,
    log_mask: String,
}

#[test]
fn what_is_hidden_is_the_same() {
    for case in super::cases::<Case>("processes/redaction.json") {
        match case.what {
            What::Redact { input, expect } => {
                let modes = [
                    (Surface::Log, expect.log_mode),
                    (Surface::Output, expect.code_mode),
                    (Surface::File, expect.file_read_mode),
                    (Surface::Egress, expect.egress_mode),
                ];
                for (surface, theirs) in modes {
                    let ours = mask::shown(&input, surface);
                    assert_eq!(ours, theirs, "{} {surface:?}", case.id);
                }
            }
            What::TerminalOutput {
                command,
                output,
                expect,
            } => {
                let command = command.unwrap_or_default();
                let surface = mask::surface_of(&command);
                let ours = mask::shown(&output, surface).into_owned();
                if expect.is_env_dump || surface == Surface::Output {
                    assert_eq!(mask::is_dump(&command), expect.is_env_dump, "{}", case.id);
                    assert_eq!(ours, expect.output, "{}", case.id);
                } else {
                    // A dump in brackets or through `-c` is one for us: it hides what the dump would show.
                    assert_eq!(ours, mask::shown(&output, Surface::Log), "{}", case.id);
                }
            }
            What::Mask { value, expect } => {
                let value = value.unwrap_or_default();
                assert_eq!(mask::display(&value), expect.display_mask, "{}", case.id);
                assert_eq!(mask::log(&value), expect.log_mask, "{}", case.id);
            }
        }
    }
}

#[derive(Deserialize)]
struct Secret {
    id: String,
    text: String,
    redacted: String,
    user_facing: String,
}

#[derive(Deserialize)]
struct Phone {
    id: String,
    phone: String,
    masked: String,
}

#[test]
fn what_logs_and_people_are_shown_is_the_same() {
    for case in super::cases::<Secret>("gateway/redaction.json") {
        let logged = mask::shown(&case.text, Surface::Log);
        assert_eq!(logged, case.redacted, "{}", case.id);
        assert_eq!(logged, case.user_facing, "{}", case.id);
    }
}

#[test]
fn phone_numbers_in_logs_keep_the_same_ends() {
    for case in super::cases::<Phone>("gateway/phone_redaction.json") {
        assert_eq!(mask::phone(&case.phone), case.masked, "{}", case.id);
    }
}

#[test]
fn a_dump_in_brackets_or_through_a_shell_is_one() {
    for command in [
        "(env)",
        "bash -c env",
        "sh -lc 'printenv X'",
        "sudo /usr/bin/env",
        "A=1 env",
    ] {
        assert!(mask::is_dump(command), "{command}");
    }
    for command in [
        "envsubst",
        "cat .env",
        "echo env",
        "grep set x",
        "bash run.sh env",
    ] {
        assert!(!mask::is_dump(command), "{command}");
    }
}
