use super::*;
use crate::process::watch::scan::Last;
use crate::time::Span;

const START: Timestamp = Timestamp::from_ms(1_800_000_000_000);

fn found(count: u32) -> Found {
    Found {
        pattern: "E".into(),
        lines: "E".into(),
        count,
        last: Last::Whole,
    }
}

fn hit(suppressed: u32) -> News {
    News::Hit {
        pattern: "E".into(),
        lines: "E".into(),
        suppressed,
    }
}

/// What is told of hits of one process at these seconds.
fn told(seconds: &[i64]) -> Vec<Vec<News>> {
    let (mut rate, mut pace) = (Rate::default(), Pace::default());
    let judged = seconds
        .iter()
        .map(|at| judge(&mut rate, &mut pace, found(1), START + Span::seconds(*at)));
    judged.map(|judged| judged.news).collect()
}

#[test]
fn hits_rest_after_one_was_told_and_are_counted() {
    let told = told(&[0, 1, 14, 15]);
    assert_eq!(told, [vec![hit(0)], vec![], vec![], vec![hit(2)]]);
}

#[test]
fn the_third_strike_in_a_row_ends_the_watch() {
    let (mut rate, mut pace) = (Rate::default(), Pace::default());
    let mut last = Judged::default();
    for at in [0, 1, 15, 16, 30, 31] {
        assert_eq!(last.watch, Goes::On);
        last = judge(&mut rate, &mut pace, found(2), START + Span::seconds(at));
    }
    assert_eq!(last.news, [News::StruckOut { suppressed: 2 }]);
    assert_eq!(last.watch, Goes::Out);
}

#[test]
fn a_rest_without_hits_forgives_all_strikes() {
    let told = told(&[0, 1, 15, 16, 30, 46, 47, 61, 62, 76, 77]);
    let last = told.last().cloned();
    assert_eq!(last, Some(vec![News::StruckOut { suppressed: 1 }]));
    assert_eq!(told.iter().filter(|news| !news.is_empty()).count(), 7);
}

#[test]
fn too_many_hits_of_all_processes_pause_them_all() {
    let mut pace = Pace::default();
    let mut rates = vec![Rate::default(); 40];
    let mut at = |rate: &mut Rate, ms| judge(rate, &mut pace, found(1), START + Span::ms(ms)).news;
    for rate in &mut rates[..15] {
        assert_eq!(at(rate, 5), [hit(0)]);
    }
    assert_eq!(at(&mut rates[15], 6), [News::Paused]);
    assert_eq!(at(&mut rates[16], 7), []);
    // Its own rest, not the pause of all.
    assert_eq!(at(&mut rates[16], 8), []);
    assert_eq!(at(&mut rates[17], 30_005), []);
    let resumed = News::Resumed { missed: 3 };
    assert_eq!(at(&mut rates[16], 30_006), [resumed, hit(1)]);
    assert_eq!(at(&mut rates[18], 30_007), [hit(0)]);
}

#[test]
fn a_slow_stream_of_hits_never_pauses() {
    let mut pace = Pace::default();
    for at in 0..100 {
        let now = START + Span::seconds(at);
        let news = judge(&mut Rate::default(), &mut pace, found(1), now).news;
        assert_eq!(news, [hit(0)]);
    }
}

#[test]
fn lines_without_room_are_told_as_a_number_later() {
    let (mut rate, mut pace) = (Rate::default(), Pace::default());
    rate.miss(&found(7));
    let news = judge(&mut rate, &mut pace, found(1), START).news;
    assert_eq!(news, [hit(7)]);
}
