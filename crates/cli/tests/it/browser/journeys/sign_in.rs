//! Getting in and out: by hand, by link, and leaving nothing behind.

use serde_json::json;

use crate::browser::journey;

#[test]
fn browser_signs_in_by_hand_and_out_again() {
    journey(|visit| {
        let token = visit.token();
        visit.page.goto("/");
        visit.page.wait_text("h1", "Sign in");

        visit.page.forgive_once("/api/v1/sign-in", 401);
        visit.page.type_text("not the token");
        visit.page.press("Enter");
        visit.page.wait(
            "words about the wrong token",
            "document.querySelector('[role=alert]')?.textContent",
        );

        visit.page.click("input[name=token]");
        visit
            .page
            .evaluate("document.querySelector('input[name=token]').select()");
        visit.page.type_text(&token);
        visit.page.click(".signin button.primary");
        visit.page.wait_for(".composer textarea");

        visit.page.forgive_once("/api/v1/me", 401);
        visit.page.click("[aria-label='Sign out']");
        visit.page.wait_text("h1", "Sign in");
    });
}

#[test]
fn browser_follows_the_link_and_the_token_is_gone_from_the_address() {
    journey(|visit| {
        let token = visit.token();
        visit.sign_in();
        let kept = visit.page.evaluate(
            "location.href + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)
             + document.cookie",
        );
        assert!(!kept.as_str().unwrap().contains(&token), "{kept}");

        let history = visit.page.call("Page.getNavigationHistory", json!({}));
        let entries = history["entries"].as_array().unwrap().iter();
        let addresses: Vec<_> = entries.map(|entry| entry["url"].to_string()).collect();
        assert!(
            !addresses.iter().any(|url| url.contains(&token)),
            "{addresses:?}"
        );

        visit.page.reload();
        visit.page.wait_for(".composer textarea");
    });
}
