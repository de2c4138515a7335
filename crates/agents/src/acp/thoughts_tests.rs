use super::*;

fn kept(thoughts: &Thoughts, masker: &Masker) -> Option<String> {
    let reasoning = thoughts.reasoning(masker);
    Some(reasoning.get(TEXT)?.as_str().unwrap().to_owned())
}

#[test]
fn thoughts_go_on_until_something_else_comes_between_them() {
    let mut thoughts = Thoughts::default();
    thoughts.pause();
    for words in ["hmm, ", "let me see"] {
        thoughts.more(words, &Masker::default());
    }
    thoughts.pause();
    thoughts.pause();
    thoughts.more("there it is\n", &Masker::default());
    let kept = kept(&thoughts, &Masker::default());
    assert_eq!(kept.as_deref(), Some("hmm, let me see\n\nthere it is"));
}

#[test]
fn who_thought_nothing_holds_nothing() {
    assert_eq!(kept(&Thoughts::default(), &Masker::default()), None);
}

#[test]
fn secrets_are_hidden_also_where_a_thought_is_told_in_pieces() {
    let mut thoughts = Thoughts::default();
    let masker = Masker::new(["hunter2-hunter2".to_owned()]);
    for words in ["the word is hunter2-", "hunter2, I think"] {
        thoughts.more(words, &masker);
    }
    let kept = kept(&thoughts, &masker).unwrap();
    assert!(!kept.contains("hunter2"), "{kept}");
}

#[test]
fn of_very_many_thoughts_the_newest_are_kept() {
    let mut thoughts = Thoughts::default();
    for number in 0..100_000 {
        thoughts.more(&format!("thought {number}\n"), &Masker::default());
    }
    let kept = kept(&thoughts, &Masker::default()).unwrap();
    assert!(kept.ends_with("thought 99999"));
    assert!(
        kept.len() <= limits::AGENT_THOUGHTS_BYTES_MAX + 10,
        "{}",
        kept.len()
    );
}

#[test]
fn secrets_are_hidden_also_where_their_beginning_is_let_go() {
    let masker = Masker::new(["hunter2 hunter2\nhunter2".to_owned()]);
    let known = "hunter2 hunter2\nhunter2\n".to_owned();
    let named = format!(
        "{{\"password\": \"{}\"}}\n",
        "hunter2 ".repeat(limits::AGENT_THOUGHTS_BYTES_MAX / 8)
    );
    for secret in [known, named] {
        for behind in 0..30 {
            let mut thoughts = Thoughts::default();
            let room = limits::AGENT_THOUGHTS_BYTES_MAX - behind;
            let rest = "a word\n".repeat(room.div_ceil(7));
            for words in ["look:\n", &secret, &rest, &rest] {
                thoughts.more(words, &masker);
                let kept = kept(&thoughts, &masker).unwrap_or_default();
                assert!(!kept.contains("hunter2"), "{behind}");
            }
        }
    }
}
