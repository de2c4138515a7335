//! `angelia sessions search`: what was said, with the words around it.

use angelia_api::client::{Rows, SearchFor};
use angelia_api::wire::v1::search::{Hit, Sort as Wire};
use angelia_api::wire::v1::session::Role as Spoke;
use angelia_core::time::Timestamp;
use angelia_gateway::env;

use super::{Desk, more};
use crate::args::sessions::{Role, Search, Sort};
use crate::errors::Failure;
use crate::output::table::cut;
use crate::output::{Form, Output, Paint, Screen, time};

/// A name is shown at least so wide.
const NAME_COLUMNS_MIN: usize = 16;

pub(super) fn run(desk: &Desk<'_>, wish: Search) -> Result<(), Failure> {
    let output = desk.start.output(wish.format.form());
    let platforms = wish.platform.iter().map(|one| one.name().to_owned());
    let asked = SearchFor {
        text: wish.words.join(" "),
        platforms: platforms.collect(),
        roles: wish
            .role
            .iter()
            .map(|role| name(*role).to_owned())
            .collect(),
        sort: match wish.sort {
            Sort::Relevance => Wire::Relevance,
            Sort::Newest => Wire::Newest,
            Sort::Oldest => Wire::Oldest,
        },
        rows: Rows::from(wish.rows),
    };
    let page = desk.ask(desk.client.search(&asked))?;
    if output.form == Form::Json {
        return output.json(&page);
    }
    if page.items.is_empty() && page.next.is_none() {
        return output.line("nothing was found; words said just now take a second to be found");
    }
    let now = env::system_now();
    for (number, hit) in page.items.iter().enumerate() {
        if number > 0 {
            output.line("")?;
        }
        print(&output, hit, now)?;
    }
    more(&output, page.next.as_deref())
}

const fn name(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
        Role::Notice => "notice",
    }
}

fn print(output: &Output, hit: &Hit, now: Timestamp) -> Result<(), Failure> {
    let who = match hit.role {
        Spoke::User => "person",
        Spoke::Assistant => "agent",
        Spoke::Tool => "tool",
        Spoke::System => "system",
        Spoke::Notice => "angelia",
        Spoke::Unknown => "someone",
    };
    let called = output.foreign(hit.title.as_deref().unwrap_or(&hit.label));
    let when = time::relative(now, hit.at.0);
    let place = format!("{}/{}", hit.platform, output.foreign(&hit.chat));
    let beside = format!("{place}, {who}, {when}");
    output.line(format_args!(
        "{}  {}",
        output.paint(Paint::Strong, &beside_which(output, &called, &beside)),
        output.paint(Paint::Faint, &beside)
    ))?;
    let pieces = hit.snippet.iter().map(|piece| {
        let text = output.foreign(&piece.text).replace(['\n', '\t'], " ");
        let paint = if piece.hit { Paint::Busy } else { Paint::Plain };
        output.paint(paint, &text)
    });
    output.line(format_args!("  {}", pieces.collect::<String>()))?;
    let id = format!("  {} entry {}", hit.session_id, hit.seq);
    output.line(output.paint(Paint::Faint, &id))
}

/// The name, cut so that what stands beside it has room on the same line of a terminal.
fn beside_which(output: &Output, name: &str, beside: &str) -> String {
    match output.screen() {
        Screen::None => name.to_owned(),
        Screen::Terminal { columns } => {
            let room = columns.saturating_sub(beside.chars().count() + 2);
            cut(name, room.max(NAME_COLUMNS_MIN))
        }
    }
}
