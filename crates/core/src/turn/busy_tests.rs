use super::*;
use crate::media::{Kind, MediaId};

fn picture() -> Picture {
    Picture {
        id: MediaId::of(b"x"),
        kind: Kind::Png,
        bytes: 1,
        size: None,
        name: None,
    }
}

#[test]
fn only_words_steer_and_what_waits_is_not_written_down() {
    assert_eq!(of(Mode::Queue, &[]), None);
    assert_eq!(of(Mode::Steer, &[]), Some(Mode::Steer));
    assert_eq!(of(Mode::Steer, &[picture()]), None, "D-9");
    assert_eq!(of(Mode::Interrupt, &[picture()]), Some(Mode::Interrupt));
}
