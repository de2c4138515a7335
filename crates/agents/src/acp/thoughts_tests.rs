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
        thoughts.more(words);
    }
    thoughts.pause();
    thoughts.pause();
    thoughts.more("there it is\n");
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
    for words in ["the word is hunter2-", "hunter2, I think"] {
        thoughts.more(words);
    }
    let masker = Masker::new(["hunter2-hunter2".to_owned()]);
    let kept = kept(&thoughts, &masker).unwrap();
    assert!(!kept.contains("hunter2"), "{kept}");
}

#[test]
fn of_very_many_thoughts_the_newest_are_kept() {
    let mut thoughts = Thoughts::default();
    for number in 0..100_000 {
        thoughts.more(&format!("thought {number}\n"));
    }
    let kept = kept(&thoughts, &Masker::default()).unwrap();
    assert!(kept.ends_with("thought 99999"));
    assert!(
        kept.len() <= limits::AGENT_THOUGHTS_BYTES_MAX + 10,
        "{}",
        kept.len()
    );
    assert!(thoughts.text.len() <= 2 * limits::AGENT_THOUGHTS_BYTES_MAX + 10);
}
