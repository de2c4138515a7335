//! `angelia chat`: talk from the terminal, through the platform `local`.
//!
//! One message, one message from a pipe, or a conversation line by line; `exchange` carries each
//! message there and its reply back, `growth` decides what of a growing reply is new on the screen, `line` reads what is
//! typed and `typing` knows what a key does to it.

mod exchange;
mod growth;
mod line;
mod typing;

use std::io::{self, BufRead as _, Read as _};

use angelia_api::wire::v1::delivery::{Delivery, DeliveryKind};
use angelia_api::wire::v1::inbox::{ChatType, Entrance, InboxRequest, Sender};
use angelia_api::wire::v1::media::File;
use angelia_api::wire::v1::message::{Message, MessageState};
use angelia_core::limits;

use super::Start;
use crate::args::Chat;
use crate::errors::Failure;
use crate::finding;
use crate::home::Home;
use crate::output::{self, Form, Output, Paint, Screen};
use exchange::{Exchange, View};
use line::Line;

/// Under this name the terminal speaks when the system does not say who sits there.
const SOMEONE: &str = "someone";

pub(super) fn run(start: &Start, wish: Chat) -> Result<(), Failure> {
    let talk = Talk {
        output: start.output(wish.format.form()),
        user: start
            .environment
            .user
            .clone()
            .unwrap_or_else(|| SOMEONE.to_owned()),
        chat: wish.chat,
        runtime: finding::runtime()?,
        start,
    };
    talk.reach()?;
    if !wish.text.is_empty() {
        return talk.once(wish.text.join(" "));
    }
    if output::is_typed() {
        talk.by_lines()
    } else {
        talk.once(piped()?)
    }
}

/// What is piped in, as long as one message may be; more is refused before it fills the memory.
fn piped() -> Result<String, Failure> {
    let longest = limits::TEXT_BYTES_MAX as u64;
    let mut bytes = Vec::new();
    let read = io::stdin().take(longest + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(format!("standard input cannot be read: {error}")))?;
    if bytes.len() as u64 > longest {
        let kib = longest / 1024;
        return Err(
            Failure::new(format!("the message is longer than {kib} KiB"))
                .hint("send it in parts, or name a file that the agent can read"),
        );
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Failure::new("standard input is not text in UTF-8"))?;
    Ok(text.trim_end().to_owned())
}

/// One sitting at the terminal.
struct Talk<'a> {
    start: &'a Start,
    output: Output,
    user: String,
    chat: String,
    runtime: tokio::runtime::Runtime,
}

impl Talk<'_> {
    /// Whether someone is there at all, before anything is promised.
    fn reach(&self) -> Result<(), Failure> {
        let client = finding::client(&self.start.home)?;
        let ready = self.runtime.block_on(client.ready());
        ready
            .map(drop)
            .map_err(|error| finding::failure(&self.start.home, &error))
    }

    fn once(&self, text: String) -> Result<(), Failure> {
        if text.trim().is_empty() {
            return Err(
                Failure::new("there is nothing to send: the message is empty")
                    .hint("write it behind the command: `angelia chat \"echo hi\"`"),
            );
        }
        let message = self.say(text)?;
        verdict(&message)
    }

    fn by_lines(&self) -> Result<(), Failure> {
        let hint = format!(
            "Chat `{}`. An empty line does nothing; Ctrl-D or /quit ends; Tab completes a command.",
            self.chat
        );
        self.beside(&self.output.paint(Paint::Faint, &hint))?;
        loop {
            let Line::Typed(line) = self.next_line()? else {
                return self.beside("");
            };
            match line.trim() {
                "/quit" | "/exit" => return Ok(()),
                "" => (),
                text => drop(self.say(text.to_owned())?),
            }
        }
    }

    /// The next line: letter by letter where both sides are a terminal and a person reads.
    fn next_line(&self) -> Result<Line, Failure> {
        match (self.output.form, self.output.screen()) {
            (Form::People, Screen::Terminal { .. }) => line::read(&self.output),
            (Form::People | Form::Json, _) => whole_line(),
        }
    }

    /// A line that is for people at a terminal only.
    fn beside(&self, line: &str) -> Result<(), Failure> {
        match (self.output.form, self.output.screen()) {
            (Form::People, Screen::Terminal { .. }) => self.output.line(line),
            (Form::People | Form::Json, _) => Ok(()),
        }
    }

    /// Sends one message and shows its reply.
    fn say(&self, text: String) -> Result<Message, Failure> {
        let request = InboxRequest {
            attachments: Vec::new(),
            chat: self.chat.clone(),
            chat_type: ChatType::Dm,
            thread: None,
            user: Sender {
                id: self.user.clone(),
                name: Some(self.user.clone()),
            },
            text,
            message_id: uuid::Uuid::now_v7().to_string(),
            platform: Entrance::Local,
        };
        let mut view = View::on(self.output);
        let exchange = Exchange {
            home: &self.start.home,
            request: &request,
        };
        let message = self.runtime.block_on(exchange.run(&mut view))?;
        match self.output.form {
            Form::Json => self.output.json(&message)?,
            Form::People => view.finish(&reply(&message, &self.start.home))?,
        }
        Ok(message)
    }
}

/// A line as the terminal hands it over.
fn whole_line() -> Result<Line, Failure> {
    loop {
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) => return Ok(Line::Over),
            Ok(_) => return Ok(Line::Typed(line)),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                output::aside("that line was not UTF-8, so it was not sent");
            }
            Err(error) => {
                return Err(Failure::new(format!(
                    "the terminal cannot be read: {error}"
                )));
            }
        }
    }
}

/// All that was said in answer.
fn reply(message: &Message, home: &Home) -> String {
    let said = message.deliveries.iter();
    let said = said.filter(|one| one.kind != DeliveryKind::Notice);
    let texts: Vec<String> = said.map(|one| shown(one, home)).collect();
    texts.join("\n")
}

/// Its words; of files, where each lies.
fn shown(delivery: &Delivery, home: &Home) -> String {
    if delivery.files.is_empty() {
        return delivery.text.clone();
    }
    let line = |file: &File| format!("[{}] {}", file.name, home.kept(file).display());
    let lines: Vec<String> = delivery.files.iter().map(line).collect();
    lines.join("\n")
}

fn verdict(message: &Message) -> Result<(), Failure> {
    let how = match message.state {
        MessageState::Answered => return Ok(()),
        MessageState::Failed => "the agent could not answer",
        MessageState::Interrupted => "the answer was interrupted",
        MessageState::Abandoned => "the message was given up after several attempts",
        MessageState::Waiting | MessageState::Running | MessageState::Unknown => {
            "the message has no answer"
        }
    };
    let hint = format!(
        "see what happened with `angelia trace {}`",
        message.inbox_id
    );
    Err(Failure::new(how).hint(hint))
}
