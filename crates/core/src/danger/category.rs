//! The kinds of danger that a person is asked about.
//!
//! A category says what a command does, in the words of the question, and has a name that stays the same
//! in rows and on the wire. It is no grant: whoever says yes says it to one command, not to all of a kind.

/// What a command does that somebody should agree to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the table below has the sentence of each")]
pub enum Category {
    DeleteInRoot,
    RecursiveDelete,
    XargsDelete,
    FindDelete,
    WindowsDelete,
    EncodedPowerShell,
    WorldWritable,
    ChownRoot,
    FormatFilesystem,
    DiskCopy,
    BlockDevice,
    KernelControl,
    SqlDrop,
    SqlDelete,
    SqlTruncate,
    SystemConfig,
    SensitiveFile,
    OwnFile,
    ProjectFile,
    ServiceStop,
    PowerOff,
    KillAll,
    ForceKill,
    KillByPattern,
    KillByLookup,
    KillGateway,
    ForkBomb,
    RemoteToShell,
    RemoteScript,
    DecodedToShell,
    GatewayLifecycle,
    OwnProgram,
    OwnToken,
    ContainerStop,
    ShellHeredoc,
    ScriptHeredoc,
    GitReset,
    GitForcePush,
    GitClean,
    GitBranchDelete,
    FreshScript,
    SudoFlags,
    InlineScript,
    InlineShell,
    HiddenProgram,
    OpenShell,
}

use Category as C;

/// Each category with its name and its words, in the order of the enum.
const TABLE: &[(Category, &str, &str)] = &[
    (
        C::DeleteInRoot,
        "delete_in_root",
        "deletes outside your own directories",
    ),
    (
        C::RecursiveDelete,
        "recursive_delete",
        "deletes a whole directory tree",
    ),
    (
        C::XargsDelete,
        "xargs_delete",
        "deletes whatever it is handed (xargs)",
    ),
    (
        C::FindDelete,
        "find_delete",
        "deletes everything it finds (find)",
    ),
    (
        C::WindowsDelete,
        "windows_delete",
        "deletes files through a Windows shell",
    ),
    (
        C::EncodedPowerShell,
        "encoded_powershell",
        "runs an encoded PowerShell command",
    ),
    (
        C::WorldWritable,
        "world_writable",
        "lets everybody write to files",
    ),
    (
        C::ChownRoot,
        "chown_root",
        "gives a whole directory tree to root",
    ),
    (
        C::FormatFilesystem,
        "format_filesystem",
        "formats a filesystem",
    ),
    (C::DiskCopy, "disk_copy", "copies raw data with dd"),
    (C::BlockDevice, "block_device", "writes to a disk device"),
    (
        C::KernelControl,
        "kernel_control",
        "writes to the controls of the kernel",
    ),
    (C::SqlDrop, "sql_drop", "drops a table or a database"),
    (C::SqlDelete, "sql_delete", "deletes every row of a table"),
    (C::SqlTruncate, "sql_truncate", "empties a table"),
    (
        C::SystemConfig,
        "system_config",
        "changes the configuration of the system",
    ),
    (
        C::SensitiveFile,
        "sensitive_file",
        "changes credentials, SSH files or a shell's start-up file",
    ),
    (C::OwnFile, "own_file", "changes the gateway's own files"),
    (
        C::ProjectFile,
        "project_file",
        "overwrites a project's environment or configuration",
    ),
    (
        C::ServiceStop,
        "service_stop",
        "stops or restarts a system service",
    ),
    (
        C::PowerOff,
        "power_off",
        "shuts a machine down or restarts it",
    ),
    (C::KillAll, "kill_all", "ends every process it may"),
    (
        C::ForceKill,
        "force_kill",
        "kills processes by name, without letting them tidy up",
    ),
    (
        C::KillByPattern,
        "kill_by_pattern",
        "ends all processes that match a pattern",
    ),
    (
        C::KillByLookup,
        "kill_by_lookup",
        "ends processes that it looks up, perhaps the gateway",
    ),
    (
        C::KillGateway,
        "kill_gateway",
        "ends the gateway that runs it",
    ),
    (C::ForkBomb, "fork_bomb", "starts processes without end"),
    (
        C::RemoteToShell,
        "remote_to_shell",
        "runs what it downloads",
    ),
    (
        C::RemoteScript,
        "remote_script",
        "runs a script from elsewhere",
    ),
    (
        C::DecodedToShell,
        "decoded_to_shell",
        "runs decoded text, which may hide a command",
    ),
    (
        C::GatewayLifecycle,
        "gateway_lifecycle",
        "starts, stops or restarts the gateway itself",
    ),
    (
        C::OwnProgram,
        "own_program",
        "steers the gateway itself, perhaps beyond this conversation",
    ),
    (
        C::OwnToken,
        "own_token",
        "reads the gateway's access token or calls it as an operator",
    ),
    (
        C::ContainerStop,
        "container_stop",
        "stops or restarts containers",
    ),
    (
        C::ShellHeredoc,
        "shell_heredoc",
        "runs a text written into the command as shell",
    ),
    (
        C::ScriptHeredoc,
        "script_heredoc",
        "runs a text written into the command as a script",
    ),
    (C::GitReset, "git_reset", "throws uncommitted changes away"),
    (
        C::GitForcePush,
        "git_force_push",
        "rewrites the history of a remote repository",
    ),
    (
        C::GitClean,
        "git_clean",
        "deletes files that git does not know",
    ),
    (
        C::GitBranchDelete,
        "git_branch_delete",
        "deletes a git branch",
    ),
    (
        C::FreshScript,
        "fresh_script",
        "makes a file executable and runs it at once",
    ),
    (
        C::SudoFlags,
        "sudo_flags",
        "asks sudo for a shell or hands it a password",
    ),
    (
        C::InlineScript,
        "inline_script",
        "runs a script given on the command line",
    ),
    (
        C::InlineShell,
        "inline_shell",
        "runs a shell command given as text",
    ),
    (
        C::HiddenProgram,
        "hidden_program",
        "runs a program named in another one's option",
    ),
    (
        C::OpenShell,
        "open_shell",
        "starts a shell or an interpreter that runs whatever is typed into it later",
    ),
];

impl Category {
    /// All of them, in the order in which they are told.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|entry| entry.0)
    }

    /// The name used in rows and on the wire. It never changes.
    pub const fn key(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// What it does, for people: the rest of a sentence that begins with the command.
    pub const fn words(self) -> &'static str {
        TABLE[self as usize].2
    }
}

#[cfg(test)]
#[path = "category_tests.rs"]
mod tests;
