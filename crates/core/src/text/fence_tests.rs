use super::super::length::Unit;
use super::*;

fn limit(max: usize) -> Limit {
    Limit {
        max,
        unit: Unit::Chars,
    }
}

fn code(text: &str) -> Vec<&str> {
    blocks(text)
        .iter()
        .map(|block| &text[block.open.end..block.close.start])
        .collect()
}

#[test]
fn a_block_lies_between_its_opening_and_closing_line() {
    let text = "a\n```rust x\ncode\n```\nb";
    let found = blocks(text);
    assert_eq!(&text[found[0].open.clone()], "```rust x");
    assert_eq!(&text[found[0].close.clone()], "```");
    assert_eq!((found[0].before, found[0].before_close), (Some(1), 16));
}

#[test]
fn tildes_longer_fences_and_small_indents_are_fences_too() {
    assert_eq!(code("~~~\n```\n~~~"), ["\n```\n"]);
    assert_eq!(code("````\n```\n````"), ["\n```\n"]);
    assert_eq!(code("   ```\nx\n  ```  \n"), ["\nx\n  "]);
}

#[test]
fn deep_indents_short_runs_and_inline_code_are_no_fences() {
    assert!(blocks("    ```\nx").is_empty());
    assert!(blocks("``\nx\n``").is_empty());
    assert!(blocks("``` a ` b\nx").is_empty());
}

#[test]
fn a_block_left_open_lasts_to_the_end() {
    assert_eq!(code("```\na\n```b\n``"), ["\na\n```b\n``"]);
}

#[test]
fn line_breaks_of_two_characters_belong_to_no_line() {
    let text = "a\r\n```js\r\nx\r\n```\r\n";
    assert_eq!(&text[blocks(text)[0].open.clone()], "```js");
    assert_eq!(&text[blocks(text)[0].close.clone()], "```");
}

#[test]
fn a_block_is_carried_with_its_word_then_without_it_then_not_at_all() {
    let text = "~~~kotlin script\nx";
    let block = &blocks(text)[0];
    let reopen = |max| block.dress(text, limit(max)).map(|dress| dress.reopen);
    assert_eq!(reopen(40).as_deref(), Some("~~~kotlin\n"));
    assert_eq!(reopen(19), None);
    let short = "```kotlin\nx";
    let bare = blocks(short)[0].dress(short, limit(13));
    assert_eq!(bare.map(|dress| dress.reopen).as_deref(), Some("```\n"));
}

#[test]
fn a_fence_of_a_thousand_marks_is_not_repeated() {
    let text = "`".repeat(1000);
    assert_eq!(blocks(&text)[0].dress(&text, limit(5000)), None);
}
