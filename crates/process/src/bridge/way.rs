//! What a bridge knows of its command and the way to it, read from the folder and the variables.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;

use super::link::Link;
use crate::folder::Folder;
use crate::spec::{Input, Spec, Surface};
use crate::target::script::Job;

/// The variable that says which of the others are for the command, one name on each line.
pub(crate) const INSIDE: &str = "ANGELIA_INSIDE";

/// A command, and the way to it.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) job: Job,
    folder: Folder,
    spec: Spec,
    /// Variables that are not for the program on the way.
    hidden: Vec<String>,
}

impl Way {
    /// The way to the command in `folder`.
    pub(super) fn read(folder: &Folder) -> io::Result<Self> {
        let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no spec.json to run");
        let spec = folder.spec()?.ok_or_else(missing)?;
        let ours: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        let text = |name: &str| ours.get(OsStr::new(name))?.to_str().map(str::to_owned);
        let names = text(INSIDE).unwrap_or_default();
        let names: Vec<String> = names.lines().map(str::to_owned).collect();
        let value = |name: &String| Some((name.clone(), text(name)?));
        let job = Job {
            id: folder.inside()?,
            command: spec.command.clone(),
            workdir: spec.workdir.as_ref().map(|path| path.display().to_string()),
            input: match spec.surface {
                Surface::Pipes(input) => input,
                Surface::Terminal(_) => Input::Open,
            },
            leftovers: spec.leftovers,
            grace: spec.grace,
            variables: names.iter().filter_map(value).collect(),
        };
        let hidden = names.into_iter().chain([INSIDE.to_owned()]).collect();
        Ok(Self {
            job,
            folder: folder.clone(),
            spec,
            hidden,
        })
    }

    /// Writes down that the command may run from now on, for whoever finds us dead.
    pub(super) fn hand_over(&self) -> io::Result<()> {
        self.folder.hand_over()
    }

    /// What the command is known by inside.
    pub(super) fn id(&self) -> &str {
        &self.job.id
    }

    /// Opens a line and sends `script`.
    pub(super) fn open(&self, script: &str) -> io::Result<Link> {
        Link::open(&self.spec.target, &self.hidden, script)
    }
}
