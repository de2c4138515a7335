//! Laws of reading events: how the bytes are cut does not matter, and nothing grows without end.

use super::*;

fn block(event: &str, data: &str) -> Block {
    Block {
        event: event.to_owned(),
        data: data.to_owned(),
    }
}

#[test]
fn blocks_are_the_same_however_the_bytes_arrive() {
    let text =
        "event: turn\ndata: {\"a\":1}\n\n: keep-alive\n\ndata: é\r\ndata:two\r\n\r\nid: 7\n\n";
    let expected = vec![block("turn", "{\"a\":1}"), block("message", "é\ntwo")];
    for size in 1..text.len() {
        let mut parser = Parser::default();
        let pieces = text.as_bytes().chunks(size);
        let blocks: Vec<Block> = pieces
            .flat_map(|piece| parser.take(piece).unwrap())
            .collect();
        assert_eq!(blocks, expected, "cut into pieces of {size}");
    }
}

#[test]
fn an_unfinished_block_is_not_shown() {
    let mut parser = Parser::default();
    assert_eq!(parser.take(b"event: turn\ndata: {}\n"), Ok(vec![]));
}

#[test]
fn the_name_of_one_block_does_not_reach_the_next() {
    let mut parser = Parser::default();
    let blocks = parser.take(b"event: turn\n\ndata: x\n\n");
    assert_eq!(blocks, Ok(vec![block("message", "x")]));
}

#[test]
fn a_block_without_end_is_an_error() {
    let mut parser = Parser::default();
    let piece = vec![b'x'; BLOCK_BYTES_MAX];
    assert_eq!(parser.take(&piece), Ok(vec![]));
    assert_eq!(parser.take(b"x"), Err(TooLong));
}
