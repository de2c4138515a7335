//! What is kept of an output, and which part of it is shown.
//!
//! Two differences on purpose. A letter that arrives in two reads is whole (H-19). Nothing that was
//! said is dropped because it looks like a shell's complaint: our shell is not interactive and has
//! none (H-26).

use angelia_process::text::{Decoder, page, strip, tail};
use serde::Deserialize;
use serde_json::Value;

/// What a look at a process shows.
const PREVIEW_CHARS: usize = 1000;

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(flatten)]
    what: What,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum What {
    PipeReads {
        limit_chars: usize,
        reads_hex: Vec<Value>,
        expect: Kept,
    },
    Log {
        buffer: String,
        offset: i64,
        limit: i64,
        expect: Shown,
        expect_completion_consumed: bool,
        exited: bool,
    },
    PollPreview {
        buffer_chars: Option<usize>,
        expect: Preview,
    },
}

#[derive(Deserialize)]
struct Kept {
    buffer: Value,
    chars: usize,
}

#[derive(Deserialize)]
struct Shown {
    output: String,
    total_lines: usize,
    showing: String,
}

#[derive(Deserialize)]
struct Preview {
    preview_chars: usize,
    tail: String,
}

fn bytes_of(read: &Value) -> Vec<u8> {
    let hex = |text: &str| -> Vec<u8> {
        let pairs = text.as_bytes().chunks(2);
        let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        pairs.map(byte).collect()
    };
    if let Some(text) = read.as_str() {
        return hex(text);
    }
    let byte = hex(read["byte_hex"].as_str().unwrap());
    byte.repeat(usize::try_from(read["count"].as_u64().unwrap()).unwrap())
}

/// All that was read, as our decoder has it.
fn decoded(reads: &[Value]) -> String {
    let mut decoder = Decoder::default();
    let reads = reads.iter().map(|read| decoder.push(&bytes_of(read)));
    let text: String = reads.collect();
    text + decoder.finish()
}

/// All that was read, as the reference has it: each read on its own.
fn torn(reads: &[Value]) -> String {
    let alone = reads.iter().map(bytes_of);
    alone
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect()
}

fn replaced(text: &str) -> usize {
    text.matches(char::REPLACEMENT_CHARACTER).count()
}

fn looks_like_a_shell(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.contains("no job control")
        || first.contains("terminal process group")
        || first.contains("tcsetattr: Inappropriate")
}

fn assert_kept(case: &str, ours: &str, expect: &Kept) {
    assert_eq!(ours.chars().count(), expect.chars, "{case}");
    let long = &expect.buffer;
    if let Some(text) = long.as_str() {
        assert_eq!(ours, text, "{case}");
    } else {
        assert!(ours.starts_with(long["head"].as_str().unwrap()), "{case}");
        assert!(ours.ends_with(long["tail"].as_str().unwrap()), "{case}");
    }
}

#[test]
fn what_is_kept_and_shown_is_the_same_but_for_torn_letters_and_noise() {
    for case in super::cases::<Case>("processes/buffer.json") {
        match &case.what {
            What::PipeReads {
                limit_chars,
                reads_hex,
                expect,
            } => {
                let text = decoded(reads_hex);
                let ours = tail(&text, *limit_chars);
                let torn = torn(reads_hex);
                if torn != text {
                    assert!(replaced(&text) < replaced(&torn), "{}", case.id);
                } else if !looks_like_a_shell(&text) {
                    assert_kept(&case.id, ours, expect);
                }
            }
            What::Log {
                buffer,
                offset,
                limit,
                expect,
                expect_completion_consumed,
                exited,
            } => {
                let page = page(&strip(buffer), *offset, *limit);
                assert_eq!(page.text, expect.output, "{}", case.id);
                assert_eq!(page.total, expect.total_lines, "{}", case.id);
                assert_eq!(
                    format!("{} lines", page.shown),
                    expect.showing,
                    "{}",
                    case.id
                );
                let consumed = page.reaches_end && *exited;
                assert_eq!(consumed, *expect_completion_consumed, "{}", case.id);
            }
            What::PollPreview {
                buffer_chars,
                expect,
            } => {
                let text = match buffer_chars {
                    Some(chars) => ('a'..='z').cycle().take(*chars).collect(),
                    None => format!("{}\u{1b}[31mABCDEFGH\u{1b}[0m", "z".repeat(995)),
                };
                let ours = strip(tail(&text, PREVIEW_CHARS));
                assert_eq!(ours.chars().count(), expect.preview_chars, "{}", case.id);
                assert!(ours.ends_with(&expect.tail), "{}", case.id);
            }
        }
    }
}
