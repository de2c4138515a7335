use super::*;

/// What the other side makes of the lines: how far each leads, and whether the input ends.
fn read(lines: &[u8]) -> (Vec<u64>, bool) {
    let text = String::from_utf8(lines.to_vec()).unwrap();
    let fed = text.lines().filter_map(|line| {
        let rest = line.strip_prefix("feed ")?;
        rest.split_once(' ')?.0.parse().ok()
    });
    (fed.collect(), text.ends_with("close\n"))
}

#[test]
fn input_goes_in_pieces_that_a_pipe_takes_whole() {
    let mut feed = Feed::default();
    feed.push(&[b'x'; 1200]);
    assert_eq!(read(&feed.next()), (vec![512, 1024, 1200], false));
    assert_eq!(feed.next(), b"");
}

#[test]
fn the_end_waits_for_all_that_comes_before_it() {
    let mut feed = Feed::default();
    feed.push(b"abc");
    feed.close();
    assert_eq!(read(&feed.next()), (vec![3], false));
    feed.arrive(3);
    assert_eq!(read(&feed.next()), (vec![], true));
    assert_eq!(feed.next(), b"");
}

#[test]
fn another_line_goes_on_where_the_other_side_is() {
    let mut feed = Feed::default();
    feed.push(&[b'x'; 1200]);
    feed.next();
    feed.arrive(512);
    feed.go_on(1024);
    assert_eq!(read(&feed.next()), (vec![1200], false));
    feed.arrive(1200);
    feed.close();
    assert!(read(&feed.next()).1);
    feed.go_on(1200);
    assert!(
        read(&feed.next()).1,
        "another line has not heard of the end"
    );
}

#[test]
fn little_is_under_way_and_little_waits() {
    let mut feed = Feed::default();
    feed.push(&vec![0; WAITING_BYTES]);
    assert!(!feed.has_room());
    let (fed, _) = read(&feed.next());
    assert!(fed.last().unwrap() <= &(UNDERWAY_BYTES + FEED_BYTES as u64));
}
