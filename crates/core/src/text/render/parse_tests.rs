use super::super::document::{Block, Document, Gap, Inline, Kind, Style};
use crate::limits;

fn kinds(markdown: &str) -> Vec<Kind> {
    let blocks = Document::read(markdown).blocks;
    blocks.into_iter().map(|block| block.kind).collect()
}

fn text(text: &str) -> Inline {
    Inline::Text(text.to_owned())
}

#[test]
fn blank_lines_between_blocks_are_kept_as_the_author_left_them() {
    let gaps: Vec<Gap> = Document::read("# A\ntext\n\n- b\n- c\n\n\n\nend")
        .blocks
        .iter()
        .map(|block| block.gap)
        .collect();
    assert_eq!(gaps, [Gap::Line, Gap::Line, Gap::Blank, Gap::Blank]);
}

#[test]
fn one_tilde_means_about() {
    assert_eq!(
        kinds("~5 or 6~ x"),
        [Kind::Paragraph(vec![text("~5 or 6~ x")])]
    );
    let struck = Inline::Styled(Style::Strike, vec![text("x")]);
    assert_eq!(kinds("~~x~~"), [Kind::Paragraph(vec![struck])]);
}

#[test]
fn bars_around_words_hide_them_and_bars_between_words_do_not() {
    let hidden = Inline::Styled(Style::Spoiler, vec![text("x y")]);
    assert_eq!(
        kinds("a ||x y|| b"),
        [Kind::Paragraph(vec![text("a "), hidden, text(" b")])]
    );
    assert_eq!(
        kinds("a || b || c"),
        [Kind::Paragraph(vec![text("a || b || c")])]
    );
}

#[test]
fn a_link_that_shows_its_address_is_the_address() {
    for markdown in [
        "<https://e.org>",
        "[https://e.org](https://e.org)",
        "[](https://e.org)",
    ] {
        assert_eq!(
            kinds(markdown),
            [Kind::Paragraph(vec![text("https://e.org")])]
        );
    }
    assert_eq!(kinds("<a@b.c>"), [Kind::Paragraph(vec![text("a@b.c")])]);
}

#[test]
fn only_the_first_word_behind_a_fence_is_a_language() {
    let languages = |markdown: &str| {
        let Kind::Code { language, .. } = kinds(markdown).remove(0) else {
            panic!("{markdown} is code");
        };
        language
    };
    assert_eq!(languages("```js title=x\na\n```"), "js");
    assert_eq!(languages("```c++\na\n```"), "c++");
    assert_eq!(languages("```\"><script>\na\n```"), "");
}

#[test]
fn an_entry_goes_on_with_what_is_indented_below_it() {
    let [Kind::List { items, .. }] = &kinds("- a\n  b\n  - c\n- d")[..] else {
        panic!("a list");
    };
    assert_eq!(items.len(), 2);
    let Block { kind, gap } = &items[0].blocks[1];
    assert!(matches!(kind, Kind::List { .. }), "{kind:?}");
    assert_eq!(*gap, Gap::Line);
}

#[test]
fn quotes_deeper_than_the_limit_are_merged() {
    fn depth(blocks: &[Block]) -> usize {
        let inner = |block: &Block| {
            if let Kind::Quote(blocks) = &block.kind {
                1 + depth(blocks)
            } else {
                0
            }
        };
        blocks.iter().map(inner).max().unwrap_or(0)
    }
    let document = Document::read(&format!("{} x", ">".repeat(3000)));
    assert!(depth(&document.blocks) <= limits::RENDER_DEPTH);
    let stars = format!("{}x{}", "*_".repeat(2000), "_*".repeat(2000));
    assert_eq!(Document::read(&stars).blocks.len(), 1);
}
