use super::super::{Manner, reasoning::Look};
use super::Words;
use crate::text::Limit;
use crate::text::Unit;
use crate::text::silence::Ending;
use crate::time::Span;

fn manner() -> Manner {
    let limit = Limit {
        max: 40,
        unit: Unit::Utf16,
    };
    Manner::live(limit, Span::seconds(1))
}

#[test]
fn what_is_announced_is_a_message_of_its_own_and_thoughts_are_left_out() {
    let mut words = Words::new(None);
    words.announce("Begun anew.");
    words.say_parted("<think>hm</think>First.\n\nThen.", &[24]);
    let texts = words.finished(&manner(), Ending::Answered);
    assert_eq!(texts, ["Begun anew.", "First.", "Then."]);
}

#[test]
fn thoughts_stand_above_the_reply_where_people_want_to_see_them() {
    let mut words = Words::new(Some(Look::Quote));
    words.announce("News.");
    words.think("hm");
    words.say("Yes.");
    words.part();
    words.say("\n\nAnd no.");
    let texts = words.finished(&manner(), Ending::Answered);
    assert_eq!(texts, ["News.", "> hm\n\nYes.", "And no."]);
}

#[test]
fn silence_is_no_message_and_takes_nothing_else_along() {
    let mut words = Words::new(None);
    words.say_parted("Found it.\n\nNO_REPLY", &[9]);
    assert_eq!(words.finished(&manner(), Ending::Answered), ["Found it."]);
    let mut words = Words::new(Some(Look::Code));
    words.think("nothing to say");
    words.say("[SILENT]");
    assert!(words.finished(&manner(), Ending::Answered).is_empty());
}

#[test]
fn words_that_are_taken_back_leave_what_was_announced() {
    let mut words = Words::new(None);
    words.announce("News.");
    words.say("First.");
    words.part();
    words.say("\n\nSecond, cut");
    words.rewrite("First.", &[]);
    words.say("\n\nAgain.");
    let texts = words.finished(&manner(), Ending::Answered);
    assert_eq!(texts, ["News.", "First.", "Again."]);
}
