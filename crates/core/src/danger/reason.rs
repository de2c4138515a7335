//! Why a command is refused whatever anybody says.
//!
//! These are the commands that no answer makes right: they end the machine, answer for a person, or nobody
//! can say what they would do. A settings file, a grant or a person cannot lift them; only an isolated container can.

use super::category::Category;

/// Why a command is never run here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It deletes the root of the filesystem.
    RootDelete,
    /// It deletes a directory that the system lives in.
    SystemDelete,
    /// It deletes somebody's home.
    HomeDelete,
    /// It formats a filesystem.
    Format,
    /// It writes over a disk device.
    RawDevice,
    /// It starts processes without end.
    ForkBomb,
    /// It ends every process.
    KillAll,
    /// It shuts the machine down or restarts it.
    PowerOff,
    /// It answers the gateway's question about a command.
    OwnApproval,
    /// It is larger or deeper than can be read with care.
    TooLarge,
    /// Its quotes do not close, so nobody can say what it would run.
    Malformed,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::RootDelete,
        Self::SystemDelete,
        Self::HomeDelete,
        Self::Format,
        Self::RawDevice,
        Self::ForkBomb,
        Self::KillAll,
        Self::PowerOff,
        Self::OwnApproval,
        Self::TooLarge,
        Self::Malformed,
    ];

    /// The name used in rows and on the wire. It never changes.
    pub const fn key(self) -> &'static str {
        match self {
            Self::RootDelete => "root_delete",
            Self::SystemDelete => "system_delete",
            Self::HomeDelete => "home_delete",
            Self::Format => "format",
            Self::RawDevice => "raw_device",
            Self::ForkBomb => "fork_bomb",
            Self::KillAll => "kill_all",
            Self::PowerOff => "power_off",
            Self::OwnApproval => "own_approval",
            Self::TooLarge => "too_large",
            Self::Malformed => "malformed",
        }
    }

    /// What is wrong with the command, for people: the rest of a sentence that begins with it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::RootDelete => "deletes the root of the filesystem",
            Self::SystemDelete => "deletes a directory of the system",
            Self::HomeDelete => "deletes a home directory",
            Self::Format => "formats a filesystem",
            Self::RawDevice => "writes over a disk device",
            Self::ForkBomb => "starts processes without end",
            Self::KillAll => "ends every process",
            Self::PowerOff => "shuts the machine down or restarts it",
            Self::OwnApproval => "answers a question that only people answer",
            Self::TooLarge => "is too large to be read with care",
            Self::Malformed => "has quotes that do not close",
        }
    }

    /// What a person is asked when the same would happen to another machine, which is theirs to lose.
    /// What cannot be read is refused there too.
    pub(super) const fn elsewhere(self) -> Option<Category> {
        match self {
            Self::RootDelete | Self::SystemDelete => Some(Category::DeleteInRoot),
            Self::HomeDelete => Some(Category::RecursiveDelete),
            Self::Format => Some(Category::FormatFilesystem),
            Self::RawDevice => Some(Category::BlockDevice),
            Self::ForkBomb => Some(Category::ForkBomb),
            Self::KillAll => Some(Category::KillAll),
            Self::PowerOff => Some(Category::PowerOff),
            Self::OwnApproval => Some(Category::OwnProgram),
            Self::TooLarge | Self::Malformed => None,
        }
    }
}
