//! Talking: one answer each, growing as it is written, whole after a reload, and never taken for markup.

use std::collections::BTreeSet;

use crate::browser::{Visit, journey};
use crate::world::wait_for;

/// How long the replies are: six seconds, so that a machine that stands still for a moment misses no growing.
const WORDS: usize = 120;

fn all_words() -> String {
    let words: Vec<_> = (1..=WORDS).map(|number| format!("word{number}")).collect();
    words.join(" ")
}

#[test]
fn browser_shows_exactly_one_reply() {
    journey(|visit| {
        visit.sign_in();
        visit.say("echo hi");
        visit.page.wait_text(".msg.agent .prose", "hi");
        assert_eq!(visit.settled_replies(), ["hi"]);
        assert_eq!(visit.page.texts(".msg.person .bubble"), ["echo hi"]);
        visit.page.wait_text(".talk-preview", "hi");
        assert_eq!(visit.delivered(), ["hi"]);
    });
}

#[test]
fn browser_shows_a_reply_grow_and_then_whole() {
    journey(|visit| {
        visit.sign_in();
        visit.say(&format!("stream {WORDS}"));
        let lengths = lengths_until_whole(visit, &all_words());
        assert!(lengths.len() >= 3, "it did not grow: {lengths:?}");
        assert_eq!(visit.settled_replies(), [all_words()]);
    });
}

/// Every length at which the reply was seen.
fn lengths_until_whole(visit: &mut Visit, whole: &str) -> BTreeSet<usize> {
    let mut lengths = BTreeSet::new();
    wait_for("the whole reply", || {
        let replies = visit.replies();
        assert!(
            replies.len() <= 1,
            "one message has several replies: {replies:?}"
        );
        let reply = replies.first()?;
        assert!(whole.starts_with(reply.as_str()), "{reply:?}");
        lengths.insert(reply.len());
        (reply == whole).then_some(())
    });
    lengths
}

#[test]
fn browser_reloaded_in_mid_reply_ends_with_one_whole_reply() {
    journey(|visit| {
        visit.sign_in();
        visit.say(&format!("stream {WORDS}"));
        visit.page.wait_text(".msg.agent.growing .prose", "word5");
        visit.page.reload();
        visit
            .page
            .wait_text(".msg.agent .prose", &format!("word{WORDS}"));
        assert_eq!(visit.settled_replies(), [all_words()]);
        assert_eq!(
            visit.page.texts(".msg.person .bubble"),
            [format!("stream {WORDS}")]
        );
    });
}

#[test]
fn browser_that_hears_the_answer_before_the_acceptance_shows_each_once() {
    const HOLD_BACK: &str = "(() => {
        const real = window.fetch;
        window.fetch = async (...asked) => {
            const answer = await real(...asked);
            if (String(asked[0]).endsWith('/inbox')) await new Promise(go => { window.letGo = go; });
            return answer;
        };
    })()";
    const IS_SETTLED: &str = "sessionStorage.getItem('angelia.sends.console') === '[]'";
    journey(|visit| {
        visit.sign_in();
        visit.page.wait_for(".prompts button");
        visit.page.evaluate(HOLD_BACK);
        for word in ["first", "second"] {
            visit.say(&format!("echo {word}"));
            // The list beside it is read later than the transcript: by then nothing is under way.
            let is_listed =
                format!("document.querySelector('.talk-preview')?.textContent === '{word}'");
            visit.page.wait("the answer in the list", &is_listed);
            visit.page.wait_text(".msg.agent .prose", word);
            let before = visit.page.texts(".msg .prose");
            visit.page.evaluate("window.letGo(); window.letGo = null");
            visit.page.wait("the acceptance to be settled", IS_SETTLED);
            visit.settled_replies();
            assert_eq!(visit.page.texts(".msg .prose"), before);
        }
        let said = visit.page.texts(".msg .prose");
        assert_eq!(said, ["echo first", "first", "echo second", "second"]);
    });
}

#[test]
fn browser_shows_hostile_text_as_text() {
    const HOSTILE: &str = "<img src=x onerror=window.taken=1></script><script>window.taken=2</script>\
        [here](javascript:window.taken=3) \"><svg onload=window.taken=4>";
    journey(|visit| {
        visit.sign_in();
        visit.say(&format!("echo {HOSTILE}"));
        visit.page.wait_text(".msg.agent .prose", "onerror");
        let replies = visit.settled_replies();
        assert!(
            replies[0].contains("<img src=x onerror=window.taken=1></script>"),
            "{replies:?}"
        );
        for view in ["#/sessions", "#/outbox/sent", "#/chat"] {
            visit.page.goto(&format!("/{view}"));
            visit.page.wait_text("#page", "onerror");
            let made =
                "document.querySelectorAll('#app img, #app script, [onload], [onerror]').length";
            assert_eq!(visit.page.evaluate(made), 0, "{view}");
            let script = "document.querySelectorAll('a[href^=\"javascript:\" i]').length";
            assert_eq!(visit.page.evaluate(script), 0, "{view}");
        }
        assert_eq!(visit.page.evaluate("typeof window.taken"), "undefined");
    });
}

#[test]
fn browser_shows_what_a_command_answers_and_follows_a_new_beginning() {
    journey(|visit| {
        visit.sign_in();
        visit.say("echo before");
        assert_eq!(visit.settled_replies(), ["before"]);
        visit.say("/status");
        visit.page.wait_text(".command code", "/status");
        assert_eq!(visit.settled_replies(), ["before"]);
        visit.page.reload();
        visit.page.wait_text(".command code", "/status");

        visit.say("/new");
        visit.page.wait(
            "the new beginning",
            "!document.querySelector('.msg')
               && document.querySelector('.command code')?.textContent === '/new'",
        );
        assert_eq!(visit.page.texts(".command code"), ["/new"]);
        visit.say("echo after");
        assert_eq!(visit.settled_replies(), ["after"]);
    });
}
