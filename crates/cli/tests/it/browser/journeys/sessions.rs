//! What can be done with a session: naming, undoing, branching, going on, another model, an end.

use super::approvals::look;
use crate::browser::{AT_REST, Visit, journey, journey_in};
use crate::world::World;

/// Answers the open dialog with yes, and waits until it is gone.
fn agree(visit: &mut Visit) {
    visit.page.click("dialog[open] button[type=submit]");
    visit
        .page
        .wait("the dialog to close", "!document.querySelector('dialog')");
}

#[test]
fn browser_renames_a_session_and_says_why_a_title_is_refused() {
    journey(|visit| {
        visit.sign_in();
        visit.say("echo mine");
        visit.settled_replies();
        visit.open_session(&["hers"]);
        visit.page.click("[aria-label=Rename]");
        visit.page.wait_for("dialog[open] input");
        visit.page.type_text("Harbour plans");
        agree(visit);
        visit.page.wait_text(".pane h2", "Harbour plans");
        visit.page.wait_text(".row-title", "Harbour plans");

        visit.page.click(".row:not([aria-current])");
        visit.page.wait_text(".pane .msg .prose", "mine");
        let address = visit.page.evaluate("location.hash.split('/')[2]");
        let path = format!("/api/v1/sessions/{}/title", address.as_str().unwrap());
        visit.page.forgive_once(path.leak(), 409);
        visit.page.click("[aria-label=Rename]");
        visit.page.wait_for("dialog[open] input");
        visit.page.type_text("Harbour plans");
        visit.page.press("Enter");
        visit.page.wait_for("dialog[open] .trouble .hint");
        visit.page.press("Escape");
        visit.page.wait_text(".pane h2", "console");
    });
}

#[test]
fn browser_undoes_a_turn_and_shows_it_in_grey_on_demand() {
    journey(|visit| {
        visit.sign_in();
        visit.open_session(&["first", "second"]);
        visit.choose("Undo turns");
        visit.page.wait_text("dialog .hides", "Hides 2 messages");
        visit.page.wait_text("dialog blockquote", "echo second");
        agree(visit);
        visit.page.wait(
            "the turn to be gone",
            "document.querySelectorAll('.pane .msg').length === 2",
        );
        assert_eq!(visit.said(), ["echo first", "first"]);

        visit.page.click(".standing .link-button");
        visit.page.wait_for(".msg.undone");
        assert_eq!(
            visit.page.texts(".msg.undone .prose"),
            ["echo second", "second"]
        );
        assert_eq!(visit.page.texts(".msg.undone .fate"), ["Undone", "Undone"]);

        visit.put_in("later", "echo third");
        visit.page.wait_text(".msg.agent .prose", "third");
        visit.page.wait("the turn to be over", AT_REST);
        visit.page.click(".standing .link-button");
        visit.page.wait(
            "what was undone to be hidden again",
            "!document.querySelector('.undone')",
        );
        assert_eq!(visit.said(), ["echo first", "first", "echo third", "third"]);
    });
}

#[test]
fn browser_branches_at_a_message_and_finds_the_way_back() {
    journey(|visit| {
        visit.sign_in();
        visit.open_session(&["first", "second"]);
        visit.page.click(".msg.agent .act");
        visit.page.wait_for("dialog[open] input");
        visit.page.type_text("Another way");
        agree(visit);
        visit.page.wait_text(".pane h2", "Another way");
        visit.page.wait_text(".pane .msg.agent .prose", "first");
        assert_eq!(visit.said(), ["echo first", "first"]);

        visit.page.wait_text(".standing", "Branched from Anna");
        visit.page.click(".standing a");
        visit.page.wait_text(".pane .msg.agent .prose", "second");
        visit.page.wait_text(".standing", "Branch: Another way");
        visit.put_in("later", "echo still here");
        visit
            .page
            .wait_text(".pane .msg.agent .prose", "still here");
    });
}

#[test]
fn browser_begins_anew_and_resumes_the_older_session() {
    journey(|visit| {
        visit.sign_in();
        visit.open_session(&["old words"]);
        visit.choose("Begin anew");
        visit.page.wait_for("dialog[open]");
        agree(visit);
        visit.page.wait_text(".pane .empty", "Nothing was said");
        visit.put_in("anew", "echo new words");
        visit.page.wait_text(".pane .msg.agent .prose", "new words");
        assert_eq!(visit.said(), ["echo new words", "new words"]);
        visit.page.wait("the turn to be over", AT_REST);

        visit.page.click(".lives button:last-child");
        visit.page.wait(
            "the ended one alone",
            "document.querySelectorAll('.pick .row').length === 1",
        );
        visit.page.click(".pick .row");
        visit.page.wait_text(".standing", "its place began anew");
        visit.page.wait_text(".pane .msg.agent .prose", "old words");
        visit.page.click(".head-buttons .button");
        visit
            .page
            .wait("it to go on", "!document.querySelector('.head-buttons *')");

        visit.put_in("again", "echo where we were");
        visit
            .page
            .wait_text(".pane .msg.agent .prose", "where we were");
        visit.page.wait("the turn to be over", AT_REST);
        let said = visit.said();
        assert_eq!(said[1], "old words");
        assert_eq!(said.last().unwrap(), "where we were");
    });
}

#[test]
fn browser_chooses_a_model_and_takes_the_choice_back() {
    let world = World::new();
    // One with a model, which nobody asks here: the demo agent would take no other.
    world.configure(
        "[agents.helper]\nbackend = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"small-0\"\n",
    );
    journey_in(world, |visit| {
        visit.sign_in();
        visit.open_session(&["hello"]);
        visit.choose("Model");
        visit.page.wait_for("dialog[open] input");
        visit.page.type_text("small-1");
        visit.page.press("Tab");
        visit.page.type_text("house");
        agree(visit);
        visit.page.wait_text(".model-tag", "small-1");

        visit.page.reload();
        visit.page.click(".model-tag");
        visit.page.wait_for("dialog[open] input");
        let kept = "[...document.querySelectorAll('dialog input')].map(e => e.value).join()";
        assert_eq!(visit.page.evaluate(kept), "small-1,house,");
        visit.page.click("dialog .first");
        visit.page.wait(
            "the choice to be gone",
            "!document.querySelector('.model-tag')",
        );
    });
}

#[test]
fn browser_stops_an_answer() {
    journey(|visit| {
        visit.sign_in();
        visit.open_session(&["hello"]);
        visit.put_in("long", "sleep 60");
        visit.page.wait_text(".head-buttons .button", "Stop");
        visit.page.click(".head-buttons .button");
        visit.page.wait("the answer to be over", AT_REST);
    });
}

#[test]
fn browser_stops_an_answer_in_its_chat() {
    journey(|visit| {
        visit.sign_in();
        let stop = ".page-head .button.small:not([hidden])";
        visit.say("sleep 60");
        visit.page.wait_text(stop, "Stop");
        look(visit, "chat-working");
        visit.page.click(stop);
        let gone = format!("!document.querySelector('{stop}')");
        visit.page.wait("the answer to be over", &gone);
        visit.page.wait_text(".messages", "Stopped");
    });
}

#[test]
fn browser_deletes_a_session_only_after_asking() {
    journey(|visit| {
        visit.sign_in();
        visit.open_session(&["secret"]);
        visit.choose("Delete");
        visit.page.wait_text("dialog[open]", "for good");
        visit.page.press("Escape");
        visit
            .page
            .wait("the dialog to close", "!document.querySelector('dialog')");
        assert_eq!(visit.said(), ["echo secret", "secret"]);

        visit.choose("Delete");
        visit.page.wait_for("dialog[open]");
        agree(visit);
        visit.page.wait_text(".pane", "Choose a session");
        visit.page.wait_text(".pick", "No sessions yet");
    });
}

#[test]
fn browser_walks_the_menu_with_the_keyboard_alone() {
    journey(|visit| {
        visit.sign_in();
        visit.open_session(&["by hand"]);
        visit
            .page
            .evaluate("document.querySelector('[aria-label=\"More for this session\"]').focus()");
        visit.page.press("Enter");
        visit.page.wait_for(".menu-item:focus");
        visit.page.press("ArrowUp");
        visit.page.press("ArrowDown");
        visit.page.press("ArrowDown");
        visit.page.wait_text(".menu-item:focus", "Model");
        visit.page.press("Escape");
        visit.page.wait(
            "the button to have the focus again",
            "document.activeElement.ariaLabel === 'More for this session'",
        );
        visit.page.press("Enter");
        visit.page.wait_text(".menu-item:focus", "Rename");
        visit.page.press("Enter");
        visit.page.wait_for("dialog[open] input:focus");
        visit.page.type_text("Named by hand");
        visit.page.press("Enter");
        visit.page.wait_text(".pane h2", "Named by hand");
    });
}
