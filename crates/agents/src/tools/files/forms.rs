//! What the tools for files take, in words for a model.

use crate::tools::form::{Argument, Form, Kind};

/// The name of them all together.
const FAMILY: &str = "files";

const PATH: &str = "The path within the workspace, such as notes/today.md.";

/// Shows a file.
pub(crate) const READ: Form = Form {
    name: "read_file",
    family: FAMILY,
    about: "Shows a text file of the workspace, each line behind its number and a tab. A long file is shown in \
            parts: go on with the offset that the answer names. Secrets are hidden.",
    required: &["path"],
    arguments: &[
        Argument {
            name: "path",
            kind: Kind::Text,
            about: PATH,
        },
        Argument {
            name: "offset",
            kind: Kind::Whole(1),
            about: "The first line to show; 1 unless said.",
        },
        Argument {
            name: "limit",
            kind: Kind::Whole(1),
            about: "How many lines at most; 2000 unless said.",
        },
    ],
};

/// Makes a file.
pub(crate) const WRITE: Form = Form {
    name: "write_file",
    family: FAMILY,
    about: "Makes a file of the workspace, or replaces one whole; directories on the way are made. To change a \
            part of a file use edit_file.",
    required: &["path", "content"],
    arguments: &[
        Argument {
            name: "path",
            kind: Kind::Text,
            about: PATH,
        },
        Argument {
            name: "content",
            kind: Kind::Text,
            about: "All that the file is to hold.",
        },
    ],
};

/// Changes a file.
pub(crate) const EDIT: Form = Form {
    name: "edit_file",
    family: FAMILY,
    about: "Replaces text in a file of the workspace. The old text must stand there exactly as written, with all \
            blanks and line ends and without the line numbers of read_file, and only once, unless all are to be \
            replaced: add lines around it until there is only one.",
    required: &["path", "old_text", "new_text"],
    arguments: &[
        Argument {
            name: "path",
            kind: Kind::Text,
            about: PATH,
        },
        Argument {
            name: "old_text",
            kind: Kind::Text,
            about: "The text to replace.",
        },
        Argument {
            name: "new_text",
            kind: Kind::Text,
            about: "What stands there instead; nothing to take it out.",
        },
        Argument {
            name: "replace_all",
            kind: Kind::Flag,
            about: "Replace it wherever it stands.",
        },
    ],
};

/// Shows a directory.
pub(crate) const LIST: Form = Form {
    name: "list_files",
    family: FAMILY,
    about: "Lists what is in a directory of the workspace: directories end with a slash, files are followed by \
            their size in bytes.",
    required: &[],
    arguments: &[
        Argument {
            name: "path",
            kind: Kind::Text,
            about: "The directory; the workspace itself unless said.",
        },
        Argument {
            name: "depth",
            kind: Kind::Whole(1),
            about: "How many levels of directories; 1 unless said.",
        },
    ],
};

/// Finds files.
pub(crate) const SEARCH: Form = Form {
    name: "search_files",
    family: FAMILY,
    about: "Finds files of the workspace: by name, by content, or by both. Without content it lists the files whose \
            names fit; with it, the lines that fit, as path:line:text.",
    required: &[],
    arguments: &[
        Argument {
            name: "content",
            kind: Kind::Text,
            about: "A regular expression for a line. Letters that mean something there need a backslash before \
                    them.",
        },
        Argument {
            name: "name",
            kind: Kind::Text,
            about: "A pattern for names, such as *.md, or with directories, such as src/**/*.rs.",
        },
        Argument {
            name: "path",
            kind: Kind::Text,
            about: "Where to look; everywhere unless said.",
        },
        Argument {
            name: "ignore_case",
            kind: Kind::Flag,
            about: "Capital and small letters are the same.",
        },
        Argument {
            name: "limit",
            kind: Kind::Whole(1),
            about: "How many finds at most; 100 unless said, 500 at most.",
        },
    ],
};
