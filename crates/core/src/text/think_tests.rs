use super::{Parted, Thinking};

use proptest::prelude::*;

fn said(text: &str) -> String {
    Thinking::of(text).said
}

#[test]
fn a_block_at_the_beginning_of_a_line_is_thought() {
    let parted = Thinking::of("Hello\n  <think>why</think>world");
    assert_eq!(parted.said, "Hello\n  world");
    assert_eq!(parted.thought, "why");
}

#[test]
fn a_tag_in_the_middle_of_a_sentence_is_said() {
    assert_eq!(said("The tag <think> opens it"), "The tag <think> opens it");
    assert_eq!(said("`<Thought>` too"), "`<Thought>` too");
}

#[test]
fn a_closing_tag_without_a_block_goes_with_the_blanks_behind_it() {
    assert_eq!(said("text </think>  \n more"), "text more");
    assert_eq!(said("</THINKING>\n\nHi"), "Hi");
}

#[test]
fn a_block_behind_a_stray_closing_tag_is_still_thought() {
    assert_eq!(said("</think>\n<think>a</think>b"), "b");
}

#[test]
fn a_block_that_is_never_closed_hides_the_rest() {
    let parted = Thinking::of("<reasoning>so much");
    assert_eq!(
        (parted.said.as_str(), parted.thought.as_str()),
        ("", "so much")
    );
}

#[test]
fn what_never_became_a_tag_was_text() {
    assert_eq!(said("x\n<thin"), "x\n<thin");
    assert_eq!(said("< think>no</ think>"), "< think>no</ think>");
    assert_eq!(said("<think foo>x"), "<think foo>x");
    assert_eq!(said("<<think>x</think>"), "<<think>x");
}

#[test]
fn words_before_the_stream_are_part_of_its_line() {
    let mut parted = Parted::default();
    Thinking::after("abc ").push("<think>x", &mut parted);
    assert_eq!(parted.said, "<think>x");
}

fn pieces(text: &str, cuts: &[usize]) -> Parted {
    let mut parted = Parted::default();
    let mut thinking = Thinking::default();
    let mut at = 0;
    let mut cuts: Vec<usize> = cuts
        .iter()
        .map(|cut| text.floor_char_boundary(*cut))
        .collect();
    cuts.sort_unstable();
    for cut in cuts {
        thinking.push(&text[at..cut], &mut parted);
        at = cut;
    }
    thinking.push(&text[at..], &mut parted);
    thinking.finish(&mut parted);
    parted
}

fn stream() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<think>".to_owned()),
        Just("</think>".to_owned()),
        Just("</THOUGHT>".to_owned()),
        Just("<reasoning_scratchpad>".to_owned()),
        Just("<thin".to_owned()),
        Just("<".to_owned()),
        Just("\n".to_owned()),
        Just("  ".to_owned()),
        "[a-zäß漢>/]{0,4}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A piece of a text of which it is known what is said and what is thought: words without a sign that could begin a tag,
/// and blocks that stand at the beginning of a line.
#[derive(Debug, Clone)]
enum Known {
    Said(String),
    Block {
        blanks: String,
        name: &'static str,
        thought: String,
    },
}

fn known() -> impl Strategy<Value = Known> {
    let names = prop::sample::select(vec![
        "think",
        "THINKING",
        "Thought",
        "reasoning",
        "REASONING_SCRATCHPAD",
    ]);
    let thought = "[a-z漢 \n`>]{0,12}(<[a-z]{0,3})?[ .\n]{0,3}";
    prop_oneof![
        "[^<]{1,20}".prop_map(Known::Said),
        ("[ \t]{0,3}", names, thought).prop_map(|(blanks, name, thought)| Known::Block {
            blanks,
            name,
            thought
        }),
    ]
}

/// The text, what is said of it, and what is thought. A block begins a line.
fn told(pieces: &[Known]) -> (String, Parted) {
    let (mut text, mut parted) = (String::new(), Parted::default());
    for piece in pieces {
        match piece {
            Known::Said(words) => {
                text.push_str(words);
                parted.said.push_str(words);
            }
            Known::Block {
                blanks,
                name,
                thought,
            } => {
                text.push_str(&format!(
                    "\n{blanks}<{name}>{thought}</{}>.",
                    name.to_lowercase()
                ));
                parted.said.push_str(&format!("\n{blanks}."));
                parted.thought.push_str(thought);
            }
        }
    }
    (text, parted)
}

proptest! {
    #[test]
    fn how_a_stream_is_cut_does_not_matter(
        text in stream(),
        cuts in prop::collection::vec(0usize..300, 0..40),
    ) {
        prop_assert_eq!(pieces(&text, &cuts), Thinking::of(&text));
    }

    #[test]
    fn a_stream_that_comes_letter_by_letter_is_no_other(text in stream(), more in ".{0,40}") {
        let text = text + &more;
        let every: Vec<usize> = (0..=text.len()).collect();
        prop_assert_eq!(pieces(&text, &every), Thinking::of(&text));
    }

    #[test]
    fn all_that_is_said_is_said_and_no_thought_is(
        known in prop::collection::vec(known(), 0..8),
        cuts in prop::collection::vec(0usize..400, 0..20),
    ) {
        let (text, expected) = told(&known);
        prop_assert_eq!(pieces(&text, &cuts), expected, "{:?}", text);
    }

    #[test]
    fn a_text_without_tags_is_said_as_it_is(text in "[^<]{0,60}") {
        prop_assert_eq!(said(&text), text);
    }

    #[test]
    fn what_is_said_only_grows(text in stream(), cut in 0usize..120) {
        let cut = text.floor_char_boundary(cut);
        let mut before = Parted::default();
        Thinking::default().push(&text[..cut], &mut before);
        prop_assert!(said(&text).starts_with(&before.said));
    }
}
