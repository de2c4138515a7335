use super::*;
use crate::danger::shell::{Stage, read};

fn programs(text: &str) -> Vec<String> {
    let script = read(text, 0).expect("it can be read");
    let Some(Stage::Simple(simple)) = script
        .pipelines
        .first()
        .and_then(|line| line.stages.first())
    else {
        panic!("{text} is no simple command");
    };
    let calls = calls(simple).expect("it is not deep");
    calls.iter().map(Call::program).collect()
}

#[test]
fn a_program_is_known_by_its_name_alone() {
    for text in [
        "/bin/rm x",
        "RM x",
        "\"rm\" x",
        "r\\m x",
        "r''m x",
        "r${x}m x",
        "r$(true)m x",
        "{rm,x}",
        "./../bin/rm",
        "$'\\x72m' x",
    ] {
        assert_eq!(programs(text), ["rm"], "{text}");
    }
}

#[test]
fn wrappers_lead_to_what_they_start() {
    let wrapped = [
        ("sudo -u bob -n rm x", ["sudo", "rm"]),
        ("sudo -ubob A=b rm x", ["sudo", "rm"]),
        ("env -i -u X A=b rm x", ["env", "rm"]),
        ("timeout -k 5 10 rm x", ["timeout", "rm"]),
        ("nice -n 5 rm x", ["nice", "rm"]),
        ("nice -n5 rm x", ["nice", "rm"]),
        ("command -- rm x", ["command", "rm"]),
        ("xargs -0 -n 1 rm x", ["xargs", "rm"]),
        ("find . -name '*' -exec rm {} +", ["find", "rm"]),
        ("stdbuf -oL rm x", ["stdbuf", "rm"]),
        ("busybox rm x", ["busybox", "rm"]),
    ];
    for (text, expected) in wrapped {
        assert_eq!(programs(text), expected, "{text}");
    }
    assert_eq!(
        programs("sudo env nohup setsid rm x"),
        ["sudo", "env", "nohup", "setsid", "rm"]
    );
}

#[test]
fn asking_where_a_program_is_does_not_start_it() {
    assert_eq!(programs("command -v rm"), ["command"]);
}

#[test]
fn wrappers_without_end_are_given_up() {
    let script = read(&"sudo ".repeat(100), 0).expect("it can be read");
    let Some(Stage::Simple(simple)) = script
        .pipelines
        .first()
        .and_then(|line| line.stages.first())
    else {
        panic!("it is no simple command");
    };
    assert_eq!(calls(simple).map(|calls| calls.len()), Err(Trouble::Deep));
}
