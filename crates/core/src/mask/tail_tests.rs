use super::*;

const ROOM: usize = 1_000;
const SECRET: &str = "hunter2-hunter2-hunter2";

fn masker() -> Masker {
    Masker::new([SECRET.to_owned(), "first-half\nother-half".to_owned()])
}

/// All that is seen of a text that comes in such pieces.
fn seen(text: &str, piece: usize) -> Vec<String> {
    let (masker, mut tail) = (masker(), Tail::new(Surface::Log, ROOM));
    let letters: Vec<char> = text.chars().collect();
    let mut seen = Vec::new();
    for piece in letters.chunks(piece) {
        tail.push(&String::from_iter(piece), &masker);
        assert!(tail.text.len() <= 2 * ROOM && tail.before.len() <= ROOM + EARLIER.len());
        seen.push(tail.growing(&masker));
    }
    seen.push(tail.whole(&masker));
    seen
}

#[test]
fn a_short_text_is_all_there_and_a_long_one_is_its_newest_part() {
    assert_eq!(seen("one\ntwo", 3).last().unwrap(), "one\ntwo");
    let long: String = (0..1_000).map(|line| format!("line {line}\n")).collect();
    for piece in [1, 7, 500] {
        let seen = seen(&long, piece);
        let last = seen.last().unwrap();
        assert!(last.starts_with(EARLIER) && last.ends_with("line 998\nline 999\n"));
        assert!(seen.iter().all(|one| one.len() <= ROOM + EARLIER.len()));
    }
}

#[test]
fn no_part_of_a_secret_is_seen_wherever_the_text_is_cut() {
    let key = "MIIEpAIBAAKCAQEA0123456789abcdefABCDEF0123456789\n".repeat(4);
    let key = format!("-----BEGIN PRIVATE KEY-----\n{key}-----END PRIVATE KEY-----");
    let secrets = [SECRET, "first-half\nother-half", &key];
    for (secret, before) in secrets
        .iter()
        .flat_map(|one| (0..100).map(move |at| (one, at * 29)))
    {
        let (before, after) = ("word ".repeat(before / 5), "more\n".repeat(450));
        for seen in seen(&format!("say\n{before}\n{secret}\n{after}"), 97) {
            for half in ["hunter2", "first-half", "other-half", "MIIE", "abcdef"] {
                assert!(!seen.contains(half), "{half} is seen: {seen}");
            }
        }
    }
}

#[test]
fn a_named_value_that_is_longer_than_all_that_is_kept_is_not_seen() {
    for length in [ROOM, 2 * ROOM, 10 * ROOM] {
        let value = "ab cd ".repeat(length / 6);
        let text = format!("look:\n{{\"password\": \"{value}\"}}\nand then\n");
        for piece in [10, 333, 5_000] {
            let seen = seen(&text, piece);
            assert!(seen.iter().all(|one| !one.contains("cd ab cd")), "{length}");
            assert!(
                seen.last().unwrap().ends_with("and then\n"),
                "it goes on behind it"
            );
        }
    }
}
