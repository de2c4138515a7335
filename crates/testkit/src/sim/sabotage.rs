//! Planted bugs. Each breaks one law on purpose; the simulator must notice within a few seeds.
//!
//! They sit in the harness, between the gateway and its store, so that no product code knows of them.

use std::str::FromStr;

/// A planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sabotage {
    /// None: the product as it is.
    #[default]
    None,
    /// Writes of an owner that lost its lease go through, as if nobody checked the fence.
    NoFence,
    /// A message is acknowledged before it is committed.
    EarlyAck,
    /// The cursor of a listener, and with it the platform's memory, moves although the message was
    /// not stored.
    LostIntake,
    /// A delivery that was left in the middle is sent again as if it had never been tried.
    ForgottenDoubt,
    /// The news of a new beginning stay with the conversation when its first turn takes them.
    NewsTwice,
    /// What is taken back is not hidden, although the caller is told so.
    HideIgnored,
    /// A question that is asked again gets a new key each time.
    RetryUnkeyed,
    /// A conversation begins anew although somebody waits for an answer in the one before.
    HastyPolicy,
    /// The end of a process counts as told before the message about it is in the inbox.
    EarlyNotice,
    /// Who agreed to one command in a conversation has agreed to every other.
    AnyGrant,
    /// What a summary stands for is set aside, but the summary is not written.
    SummaryLost,
    /// What is remembered of an agent's program is not written, although its turn is told so.
    LinkForgotten,
    /// What was said in another conversation answers a question.
    AnyAnswer,
    /// Whether a cap leaves room for a call is looked at, but nothing is reserved for it.
    Unreserved,
    /// What would have steered a turn counts as answered by it when it ends, although its agent never heard it.
    SteerLost,
    /// What a message is known by that shows a growing reply is not written down, although its turn is told so.
    DraftForgotten,
    /// Somebody else who waits is let in.
    WrongGrant,
    /// A code lets in although its hour is over.
    LateCode,
    /// A message that was gathered with another stays in the queue, and is answered again.
    MergedTwice,
    /// Nobody remembers that a place was told that a node goes.
    BannerTwice,
    /// A message whose turn was released by a node that went is there once more.
    ResumedTwice,
    /// What is asked beside a conversation is answered within it.
    BesideForgotten,
    /// The conversations of a group that has become another stay where it was.
    MoveForgotten,
    /// A message for which there is no room is passed over: nobody will know it again, and its sender is not told.
    AwayForgotten,
}

impl Sabotage {
    /// All planted bugs, by the name the command line knows.
    pub const ALL: [(&'static str, Self); 24] = [
        ("no-fence", Self::NoFence),
        ("early-ack", Self::EarlyAck),
        ("lost-intake", Self::LostIntake),
        ("forgotten-doubt", Self::ForgottenDoubt),
        ("news-twice", Self::NewsTwice),
        ("hide-ignored", Self::HideIgnored),
        ("retry-unkeyed", Self::RetryUnkeyed),
        ("hasty-policy", Self::HastyPolicy),
        ("early-notice", Self::EarlyNotice),
        ("any-grant", Self::AnyGrant),
        ("summary-lost", Self::SummaryLost),
        ("link-forgotten", Self::LinkForgotten),
        ("any-answer", Self::AnyAnswer),
        ("unreserved", Self::Unreserved),
        ("steer-lost", Self::SteerLost),
        ("draft-forgotten", Self::DraftForgotten),
        ("wrong-grant", Self::WrongGrant),
        ("late-code", Self::LateCode),
        ("merged-twice", Self::MergedTwice),
        ("banner-twice", Self::BannerTwice),
        ("resumed-twice", Self::ResumedTwice),
        ("beside-forgotten", Self::BesideForgotten),
        ("move-forgotten", Self::MoveForgotten),
        ("away-forgotten", Self::AwayForgotten),
    ];
}

impl Sabotage {
    /// The name the command line knows; nothing where no bug is planted.
    pub fn name(self) -> Option<&'static str> {
        let known = Self::ALL.iter().find(|(_, sabotage)| *sabotage == self);
        known.map(|(name, _)| *name)
    }
}

impl FromStr for Sabotage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(name, _)| *name == text);
        known.map(|(_, sabotage)| *sabotage).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|(name, _)| *name).collect();
            format!(
                "no planted bug is called `{text}`; there are {}",
                names.join(", ")
            )
        })
    }
}
