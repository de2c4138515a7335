//! What calls are told to whoever counts them.

use std::sync::{Arc, Mutex};

use angelia_agents::Input;
use angelia_agents::events::Ended;
use angelia_agents::model::wire::Wire;
use angelia_agents::spending::{Allowance, Limited, Most, Spending};
use angelia_core::transcript::usage::{Cost, Tokens};
use angelia_testkit::fakes::model::{FakeModel, Reply, Script, Stop};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::compaction::{WINDOW, long, said, wants_notes};
use crate::talk::{WIRES, model_reading, place, turn};

/// Allows everything, and remembers what it was told.
#[derive(Debug, Default)]
struct Purse(Mutex<Vec<&'static str>>);

impl Purse {
    fn note(&self, what: &'static str) -> Result<(), Ended> {
        self.0.lock().unwrap().push(what);
        Ok(())
    }
}

#[async_trait]
impl Spending for Purse {
    fn limited(&self) -> Limited {
        Limited::Yes
    }

    async fn reserve(&self, _model: &str, most: Most) -> Result<Allowance, Ended> {
        self.note("reserved")?;
        Ok(Allowance::Granted(most.answer))
    }

    async fn give_back(&self) -> Result<(), Ended> {
        self.note("given back")
    }

    async fn hang_up(&self) -> Result<(), Ended> {
        self.note("hung up")
    }

    async fn keep(&self, _model: &str, _tokens: &Tokens) -> Result<(), Ended> {
        self.note("kept")
    }

    async fn cut_off(&self) -> Result<(), Ended> {
        self.note("cut off")
    }

    async fn beside(&self, _model: &str, _tokens: &Tokens) -> Result<(), Ended> {
        self.note("beside")
    }

    fn cost(&self, _model: &str, _tokens: &Tokens) -> Cost {
        Cost::default()
    }
}

/// What is told of a turn in a full conversation whose notes are cut, or are not.
async fn told(wire: Wire, notes: fn() -> Reply) -> Vec<&'static str> {
    let script = Script::new(move |asked, _| match wants_notes(asked) {
        true => notes(),
        false => Reply::says(["Here."]),
    });
    let fake = FakeModel::start(script).await.unwrap();
    let model = model_reading(vec![place(&fake, wire)], WINDOW);
    let purse = Arc::new(Purse::default());
    let input = Input {
        spending: Arc::clone(&purse) as Arc<dyn Spending>,
        ..long(said(4, 8_500), Vec::new())
    };
    let heard = turn(&model, input, CancellationToken::new()).await;
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Here."));
    let told = purse.0.lock().unwrap();
    told.clone()
}

#[tokio::test]
async fn what_notes_used_that_were_given_up_is_not_left_to_a_step_that_does_not_tell_of_it() {
    let cut = || Reply {
        stop: Stop::Length,
        ..Reply::says(["HALF THE NO"])
    };
    for wire in WIRES {
        let told = told(wire, cut).await;
        let twice = [
            "reserved", "kept", "reserved", "kept", "cut off", "reserved",
        ];
        assert_eq!(told, twice);
    }
}

#[tokio::test]
async fn what_notes_used_is_told_by_their_step() {
    for wire in WIRES {
        let told = told(wire, || Reply::says(["THE NOTES"])).await;
        assert_eq!(told, ["reserved", "kept", "reserved"]);
    }
}
