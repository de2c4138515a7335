-- The house: rows in, rows out, and who works on what.
--
-- `seq` is the order in which rows were written; ids are for everyone outside. Times are whole
-- milliseconds. Rows with long texts are ordinary rowid tables: SQLite keeps them out of the inner
-- pages of the tree, which WITHOUT ROWID does not.
--
-- Sets of states are written with OR. For `IN` with three values or more SQLite builds a temporary tree
-- each time a row is checked, in CHECK constraints and in the conditions of partial indexes alike.
--
-- A column refers to another table by REFERENCES only where an index leads back: without one SQLite would
-- read the whole table for every row that is deleted there, and an index for that alone would cost every
-- message. The others (`turns.session`, `inbox.session`, `inbox.turn`, `transcript.turn`, `outbox.session`)
-- are kept whole by the verb that deletes conversations (verbs/deletion.rs).

-- One conversation in one generation. A message at the door does not touch it: last words, last
-- activity and the order of lists (`listed_at`) move with the claim, which follows within a moment.
--
-- `label` is who or what it is with, `title` what somebody called it. `origin` is the source of its first
-- message as JSON. It lives while `ended_at` is NULL. `news` are the facts of an automatic new beginning
-- as JSON, until the turn that tells them is opened. `works_since` is when the youngest command that
-- still runs for it was started. `link` says what its parent is to it. `agent` is who somebody chose to
-- answer in it, and NULL for whoever usually does.
-- `tasks` is its agent's list of tasks as JSON. `told_at` is when somebody who wrote while a turn ran was last
-- told what becomes of that, `told` the newest message by then.
-- `entries` is the highest `seq` that its transcript has given; before `shown_from` nothing is visible.
CREATE TABLE sessions (
    seq        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    scope      TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    generation INTEGER NOT NULL,
    platform   TEXT    NOT NULL,
    account    TEXT    NOT NULL,
    chat       TEXT    NOT NULL,
    chat_kind  TEXT    NOT NULL,
    thread     TEXT,
    person     TEXT,
    origin     TEXT,
    created_at INTEGER NOT NULL,
    active_at  INTEGER NOT NULL,
    listed_at  INTEGER NOT NULL,
    entries    INTEGER NOT NULL DEFAULT 0,
    label      TEXT    NOT NULL,
    preview    TEXT    NOT NULL,
    title      TEXT,
    ended_at   INTEGER,
    end_reason TEXT,
    parent     INTEGER REFERENCES sessions (seq),
    link       TEXT
               CHECK (link = 'continuation' OR link = 'branch' OR link = 'delegate' OR link = 'parent'),
    news       TEXT,
    after_turn TEXT,
    suspended_at   INTEGER,
    resume_at      INTEGER,
    resume_reason  TEXT,
    expired_at     INTEGER,
    works_since    INTEGER,
    model_override TEXT,
    agent          TEXT,
    prompt_tokens  INTEGER NOT NULL DEFAULT 0,
    rewinds        INTEGER NOT NULL DEFAULT 0,
    shown_from     INTEGER NOT NULL DEFAULT 1,
    directory      TEXT,
    tasks          TEXT,
    told_at        INTEGER,
    told           INTEGER NOT NULL DEFAULT 0,
    UNIQUE (scope, generation)
) STRICT;
CREATE INDEX sessions_listed ON sessions (listed_at);
CREATE UNIQUE INDEX sessions_titled ON sessions (title) WHERE title IS NOT NULL;
CREATE INDEX sessions_of_chat ON sessions (chat) WHERE ended_at IS NULL;
CREATE INDEX sessions_of_person ON sessions (account, person) WHERE chat_kind = 'dm';
CREATE INDEX sessions_children ON sessions (parent) WHERE parent IS NOT NULL;
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;

-- Which conversation a place speaks in now: one row for each scope, changed only when it begins anew,
-- goes on elsewhere or is switched.
CREATE TABLE routes (
    scope   TEXT    NOT NULL PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX routes_to ON routes (session);

-- Which WhatsApp ids are one person: `person` is the id that stands for them in scopes and keys, and is
-- its own. One row for each id that was ever part of a scope or was said to be somebody's. It stays when
-- conversations are deleted, or the same person would be a stranger under one of their ids.
CREATE TABLE whatsapp_aliases (
    alias  TEXT    NOT NULL PRIMARY KEY,
    person TEXT    NOT NULL,
    since  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX whatsapp_aliases_of ON whatsapp_aliases (person);

-- Which conversations a place has spoken in, and why it changed; never rewritten.
CREATE TABLE bindings (
    seq     INTEGER PRIMARY KEY,
    scope   TEXT    NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions (seq),
    at      INTEGER NOT NULL,
    why     TEXT    NOT NULL
) STRICT;
CREATE INDEX bindings_of ON bindings (scope, seq);
CREATE INDEX bindings_to ON bindings (session);

-- One run of the agent. `batch` is the JSON list of the messages it answers, `news` what it has to tell
-- about the beginning of its conversation, until it is settled; `agent` who answers, until its end. `asked` is
-- how many of the batch it was opened over; those behind them it took along.
CREATE TABLE turns (
    seq        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    session    INTEGER NOT NULL,
    state      TEXT    NOT NULL
               CHECK (state = 'open' OR state = 'completed' OR state = 'failed'
                      OR state = 'interrupted' OR state = 'abandoned'),
    attempts   INTEGER NOT NULL,
    fence      INTEGER NOT NULL,
    claimed_at INTEGER NOT NULL,
    settled_at INTEGER,
    batch      TEXT    NOT NULL,
    asked      INTEGER NOT NULL DEFAULT 1,
    agent      TEXT    NOT NULL,
    news       TEXT,
    why        TEXT
) STRICT;
CREATE UNIQUE INDEX turns_open ON turns (session) WHERE state = 'open';

-- One accepted message. `body` is the message as JSON with a version; a long one stands in `long_bodies`,
-- and is NULL here. Long words stand in `long_texts`, and its text is empty here. Where the conversation was deleted, `session` and `turn` are NULL and the body is
-- empty: the row stays to recognise the message. `next` marks the oldest message of a conversation without
-- an open turn, so that a claim costs the same with any backlog (verbs/ready.rs keeps it); those behind it,
-- or behind an open turn, are `waiting`. `due_at` is from when on one may be claimed that is answered together
-- with its neighbours, and NULL for the others.
CREATE TABLE inbox (
    seq         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    account     TEXT    NOT NULL,
    event_key   TEXT    NOT NULL,
    session     INTEGER,
    state       TEXT    NOT NULL
                CHECK (state = 'next' OR state = 'waiting' OR state = 'taken' OR state = 'done'),
    turn        INTEGER,
    received_at INTEGER NOT NULL,
    due_at      INTEGER,
    body        TEXT,
    UNIQUE (account, event_key)
) STRICT;
CREATE INDEX inbox_next ON inbox (seq) WHERE state = 'next';
CREATE UNIQUE INDEX inbox_next_of ON inbox (session) WHERE state = 'next';
CREATE INDEX inbox_due ON inbox (due_at) WHERE state = 'next' AND due_at IS NOT NULL;
CREATE INDEX inbox_waiting ON inbox (session, seq) WHERE state = 'waiting';

-- The words of long messages, under the number of the message. The rows of the transcript that say them have
-- that number and no text of their own, so that they are written once (verbs/long.rs).
CREATE TABLE long_texts (
    message INTEGER PRIMARY KEY REFERENCES inbox (seq) ON DELETE CASCADE,
    text    TEXT    NOT NULL
) STRICT;

-- The bodies of messages that are long even without their words, because of what came along with them. A row of the inbox changes its state twice, and SQLite writes all of a row
-- whenever its length changes.
CREATE TABLE long_bodies (
    inbox INTEGER PRIMARY KEY REFERENCES inbox (seq) ON DELETE CASCADE,
    body  TEXT    NOT NULL
) STRICT;

-- What a turn did, written before its effect is shown. `kind` is the step's own name, before the long body.
CREATE TABLE steps (
    turn INTEGER NOT NULL REFERENCES turns (seq),
    seq  INTEGER NOT NULL,
    at   INTEGER NOT NULL,
    kind TEXT    NOT NULL,
    body TEXT    NOT NULL,
    PRIMARY KEY (turn, seq)
) STRICT;

-- What was said. `text` is what people read and search finds, unless `long` is the number of the message whose
-- words they are; `body` holds as JSON what a row has beside
-- it (parts, tool calls, reasoning), and is NULL for plain words. `message` is what recognises the
-- platform's message. A hidden row was undone; an archived one was summarised. Rows of no turn were
-- overheard, copied or imported; `attention` tells those that were not said to the agent. `row` is the order of writing, for the search index. The short columns
-- come first: behind a long text SQLite would have to walk through all of it to read them.
CREATE TABLE transcript (
    row     INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (seq),
    seq     INTEGER NOT NULL,
    turn    INTEGER,
    at      INTEGER NOT NULL,
    role    TEXT    NOT NULL,
    attention TEXT  CHECK (attention = 'observed' OR attention = 'along'),
    visibility TEXT NOT NULL DEFAULT 'visible'
            CHECK (visibility = 'visible' OR visibility = 'hidden' OR visibility = 'archived'),
    name    TEXT,
    message TEXT,
    long    INTEGER,
    text    TEXT    NOT NULL,
    body    TEXT,
    UNIQUE (session, seq)
) STRICT;
CREATE UNIQUE INDEX transcript_message ON transcript (session, message) WHERE message IS NOT NULL;
CREATE INDEX transcript_long ON transcript (long) WHERE long IS NOT NULL;
CREATE INDEX transcript_summary ON transcript (session, seq) WHERE role = 'summary' AND visibility = 'visible';

-- What a conversation has used in all, in tokens, calls and millionths of a dollar.
CREATE TABLE usage (
    session     INTEGER NOT NULL PRIMARY KEY REFERENCES sessions (seq),
    model       TEXT,
    provider    TEXT,
    base_url    TEXT,
    mode        TEXT,
    input       INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    cache_read  INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    reasoning   INTEGER NOT NULL,
    calls       INTEGER NOT NULL,
    estimated   INTEGER,
    actual      INTEGER,
    status      TEXT,
    source      TEXT,
    pricing     TEXT
) STRICT;

-- The same by model and task (empty for the conversation itself). `last_call` is what recognises the call
-- that was counted last, so that a caller who lost the answer may tell it again.
CREATE TABLE usage_lines (
    session     INTEGER NOT NULL REFERENCES sessions (seq),
    model       TEXT    NOT NULL,
    provider    TEXT    NOT NULL,
    base_url    TEXT    NOT NULL,
    mode        TEXT    NOT NULL,
    task        TEXT    NOT NULL,
    input       INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    cache_read  INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    reasoning   INTEGER NOT NULL,
    calls       INTEGER NOT NULL,
    estimated   INTEGER,
    actual      INTEGER,
    status      TEXT,
    source      TEXT,
    pricing     TEXT,
    first_at    INTEGER NOT NULL,
    last_at     INTEGER NOT NULL,
    last_call   TEXT,
    PRIMARY KEY (session, model, provider, base_url, mode, task)
) STRICT, WITHOUT ROWID;

-- What was spent on one day of the operator's time zone: by one person, and by everybody where `account` and
-- `person` are empty. `micros` are millionths of a dollar, and NULL while nobody knows the price of any of it.
CREATE TABLE spent (
    day     TEXT    NOT NULL,
    account TEXT    NOT NULL,
    person  TEXT    NOT NULL,
    calls   INTEGER NOT NULL,
    tokens  INTEGER NOT NULL,
    micros  INTEGER,
    PRIMARY KEY (day, account, person)
) STRICT, WITHOUT ROWID;

-- What calls may have used of which no step tells yet. `open`: the most that the call under way of a turn can
-- use; a turn makes one call at a time. `known`: what a call used whose step is still to come. Both go with that
-- step. `cut`: the call was cut off, by a crash or by hand, and nobody will ever tell what it used; it counts.
-- `turn` and `session` may be gone.
CREATE TABLE reservations (
    id      INTEGER NOT NULL PRIMARY KEY,
    turn    INTEGER NOT NULL,
    session INTEGER,
    state   TEXT    NOT NULL CHECK (state IN ('open', 'known', 'cut')),
    day     TEXT    NOT NULL,
    account TEXT    NOT NULL,
    person  TEXT    NOT NULL,
    tokens  INTEGER NOT NULL,
    micros  INTEGER
) STRICT;
CREATE UNIQUE INDEX reservations_open ON reservations (turn) WHERE state = 'open';
CREATE INDEX reservations_of_turn ON reservations (turn) WHERE state <> 'cut';
CREATE INDEX reservations_of_day ON reservations (day);
CREATE INDEX reservations_of_session ON reservations (session);

-- What is found: the words of a transcript row (its text and its tools) under its `row`. Nobody who says
-- something waits for it: a loop adds the rows after `indexed`, in the order of writing, and moves it in
-- the same transaction (sqlite/search/index.rs). Texts are not kept a second time; a row is deleted by its
-- number alone. Who may be found is asked of the transcript row, so hiding writes nothing here.
--
-- Groups of three characters are kept only of rows with a script that sets no blanks between its words:
-- they take six times the room of words, and only such queries look there.
CREATE VIRTUAL TABLE search_words USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE search_groups USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'trigram'
);
-- An index is made of parts that are merged when there are so many of one size. Twice as many as usual are
-- twice as many to look into, and half as often is all of it written again.
INSERT INTO search_words (search_words, rank) VALUES ('automerge', 8);
INSERT INTO search_groups (search_groups, rank) VALUES ('automerge', 8);
CREATE TABLE search_state (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    indexed INTEGER NOT NULL
) STRICT;
INSERT INTO search_state (one, indexed) VALUES (1, 0);

-- A stranger who wrote and was answered with a code. `person` is the id that stands for them. Of the code there is a
-- salt and a hash, as long as it counts; before it was sent there is neither. `event_key` recognises the message.
CREATE TABLE knocks (
    seq       INTEGER PRIMARY KEY,
    id        TEXT    NOT NULL UNIQUE,
    platform  TEXT    NOT NULL,
    account   TEXT    NOT NULL,
    chat      TEXT    NOT NULL,
    chat_kind TEXT    NOT NULL,
    thread    TEXT,
    person    TEXT    NOT NULL,
    name      TEXT,
    event_key TEXT    NOT NULL,
    state     TEXT    NOT NULL CHECK (state = 'waiting' OR state = 'granted'),
    asked_at  INTEGER NOT NULL,
    ends_at   INTEGER NOT NULL,
    salt      BLOB,
    hash      BLOB,
    UNIQUE (account, event_key)
) STRICT;
CREATE INDEX knocks_of ON knocks (account, person, asked_at);
CREATE INDEX knocks_waiting ON knocks (account, ends_at) WHERE state = 'waiting';
CREATE INDEX knocks_ends ON knocks (ends_at);

-- Leave to speak: whose, as what, who gave it, when and why; and who took it back.
CREATE TABLE access_grants (
    seq         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    platform    TEXT    NOT NULL,
    account     TEXT    NOT NULL,
    person      TEXT    NOT NULL,
    name        TEXT,
    role        TEXT    NOT NULL,
    granted_by  TEXT    NOT NULL,
    granted_at  INTEGER NOT NULL,
    why         TEXT,
    revoked_by  TEXT,
    revoked_at  INTEGER,
    revoked_why TEXT
) STRICT;
CREATE UNIQUE INDEX access_grants_held ON access_grants (account, person) WHERE revoked_at IS NULL;

-- How often codes were wrong on an account, and until when it gives and takes none.
CREATE TABLE access_locks (
    account  TEXT    NOT NULL PRIMARY KEY,
    failures INTEGER NOT NULL,
    until    INTEGER
) STRICT, WITHOUT ROWID;

-- One platform message to be sent once. A lane is (account, chat). `head_at` is when the head of a
-- lane may be sent, and NULL on every other row (verbs/lanes.rs keeps it); `sent_order` counts the
-- messages of a lane in the order in which they went out, which is not always that of planning. The last
-- one of a lane stays, without its words, when its conversation is deleted: the order never goes back.
-- `notice` numbers what a turn says before its reply, such as a question; the reply has 0. `told` is what is said
-- without a turn: a stranger's code, which is no part of the row but made when it is sent (`knock` is whose), that
-- they are let in, what became of a restart, or that a message was not taken; and that the gateway goes, which is said by a turn (`boot` is which of
-- its boots). `question` is the approval that it shows; `files` is what goes out in
-- place of words, as JSON; `quotes` is the message that it shows above itself.
CREATE TABLE outbox (
    seq        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    turn       INTEGER REFERENCES turns (seq),
    session    INTEGER,
    notice     INTEGER NOT NULL DEFAULT 0,
    told       TEXT    CHECK (told = 'code' OR told = 'welcome' OR told = 'going' OR told = 'back'
                      OR told = 'full'),
    knock      INTEGER REFERENCES knocks (seq),
    boot       TEXT,
    question   INTEGER,
    files      TEXT,
    quotes     TEXT,
    part       INTEGER NOT NULL,
    parts      INTEGER NOT NULL,
    platform   TEXT    NOT NULL,
    account    TEXT    NOT NULL,
    chat       TEXT    NOT NULL,
    chat_kind  TEXT    NOT NULL,
    thread     TEXT,
    state      TEXT    NOT NULL
               CHECK (state = 'due' OR state = 'sending' OR state = 'sent'
                      OR state = 'wedged' OR state = 'dropped'),
    attempts   INTEGER NOT NULL DEFAULT 0,
    doubts     INTEGER NOT NULL DEFAULT 0,
    fence      INTEGER NOT NULL DEFAULT 0,
    due_at     INTEGER NOT NULL,
    head_at    INTEGER,
    planned_at INTEGER NOT NULL,
    sent_at    INTEGER,
    sent_order INTEGER,
    receipt    TEXT,
    reach      TEXT,
    why        TEXT,
    text       TEXT    NOT NULL,
    UNIQUE (turn, notice, part)
) STRICT;
CREATE INDEX outbox_heads ON outbox (account, head_at) WHERE head_at IS NOT NULL;
CREATE INDEX outbox_lanes ON outbox (account, chat, seq)
    WHERE state = 'due' OR state = 'sending' OR (state = 'wedged' AND reach <> 'message');
CREATE INDEX outbox_sending ON outbox (account, chat) WHERE state = 'sending';
CREATE INDEX outbox_resting ON outbox (account) WHERE state = 'wedged' AND reach = 'account';
CREATE INDEX outbox_open ON outbox (seq, state)
    WHERE state = 'due' OR state = 'sending' OR state = 'wedged';
CREATE INDEX outbox_going ON outbox (account, chat) WHERE told = 'going';
CREATE INDEX outbox_files ON outbox (session, turn) WHERE files IS NOT NULL;
CREATE INDEX outbox_questions ON outbox (question) WHERE question IS NOT NULL;
CREATE INDEX outbox_knocks ON outbox (knock) WHERE knock IS NOT NULL;
CREATE UNIQUE INDEX outbox_sent ON outbox (account, chat, sent_order) WHERE state = 'sent';

-- One message that shows a reply while it grows, or lines about tools: written down before it is sent.
-- `receipt` is what the platform knows it by. Where that is NULL the message may be shown, and nobody can
-- tell or find it: the row is the record of that. `place` is the part of the reply that it becomes.
-- With the role `sign` it is somebody's message, with a sign of ours on it.
CREATE TABLE drafts (
    seq       INTEGER PRIMARY KEY,
    id        TEXT    NOT NULL UNIQUE,
    turn      INTEGER NOT NULL REFERENCES turns (seq),
    role      TEXT    NOT NULL CHECK (role = 'reply' OR role = 'lines' OR role = 'passing' OR role = 'sign'),
    place     INTEGER NOT NULL,
    platform  TEXT    NOT NULL,
    account   TEXT    NOT NULL,
    chat      TEXT    NOT NULL,
    chat_kind TEXT    NOT NULL,
    thread    TEXT,
    receipt   TEXT
) STRICT;
CREATE INDEX drafts_of_turns ON drafts (turn);
CREATE INDEX drafts_shown ON drafts (account, seq) WHERE receipt IS NOT NULL;

-- What other nodes may see of a reply that grows on one: the latest only, gone when the turn has ended.
CREATE TABLE glimpses (
    turn TEXT NOT NULL PRIMARY KEY,
    node TEXT NOT NULL,
    at   INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One background process under our care, written down before it is started. It lives while `ended_at` is
-- NULL; `killed_at` is when somebody asked it to end, `noticed_at` when its end was told to those who
-- started it, who are kept as they were then. `home` is where it is held. Where the conversation was
-- deleted, `session` and `turn` are NULL and the words are gone: the row stays until the folder is gone.
CREATE TABLE processes (
    seq         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    session     INTEGER REFERENCES sessions (seq),
    turn        INTEGER REFERENCES turns (seq),
    call        TEXT    NOT NULL,
    node        TEXT    NOT NULL,
    home        TEXT    NOT NULL,
    mode        TEXT    NOT NULL CHECK (mode = 'pipe' OR mode = 'pty'),
    platform    TEXT    NOT NULL,
    account     TEXT    NOT NULL,
    chat        TEXT    NOT NULL,
    chat_kind   TEXT    NOT NULL,
    thread      TEXT,
    person      TEXT    NOT NULL,
    person_name TEXT,
    about       TEXT,
    key         TEXT    NOT NULL,
    notice      TEXT    NOT NULL CHECK (notice = 'wanted' OR notice = 'unwanted'),
    every_ms    INTEGER,
    check_at    INTEGER,
    checked_bytes INTEGER NOT NULL DEFAULT 0,
    patterns    TEXT,
    watching    TEXT,
    news        INTEGER NOT NULL DEFAULT 0,
    state       TEXT    NOT NULL
                CHECK (state = 'starting' OR state = 'running' OR state = 'exited'
                       OR state = 'signalled' OR state = 'killed' OR state = 'failed'
                       OR state = 'lost'),
    started_at  INTEGER NOT NULL,
    killed_at   INTEGER,
    ended_at    INTEGER,
    code        INTEGER,
    signal      INTEGER,
    noticed_at  INTEGER,
    read_by     INTEGER REFERENCES turns (seq),
    why         TEXT,
    workdir     TEXT,
    command     TEXT    NOT NULL,
    UNIQUE (turn, call)
) STRICT;
CREATE INDEX processes_of ON processes (session, seq) WHERE session IS NOT NULL;
CREATE INDEX processes_live ON processes (home, seq) WHERE ended_at IS NULL;
CREATE INDEX processes_untold ON processes (home, ended_at)
    WHERE ended_at IS NOT NULL AND noticed_at IS NULL AND (notice = 'wanted' OR every_ms IS NOT NULL);
CREATE INDEX processes_due ON processes (home, check_at)
    WHERE ended_at IS NULL AND check_at IS NOT NULL;
CREATE INDEX processes_read ON processes (read_by) WHERE read_by IS NOT NULL;

-- What is still to be told about a process. A row goes when it was told.
CREATE TABLE process_news (
    seq     INTEGER PRIMARY KEY,
    process INTEGER NOT NULL REFERENCES processes (seq),
    number  INTEGER NOT NULL,
    kind    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    body    TEXT    NOT NULL,
    UNIQUE (process, number)
) STRICT;

-- What one node wants of a process that another holds: until it is taken with the bytes for the input, then with the
-- boot that took it, in the end with the answer. A row goes when whoever asked has read it.
CREATE TABLE process_errands (
    seq      INTEGER PRIMARY KEY,
    id       TEXT NOT NULL UNIQUE,
    process  INTEGER NOT NULL REFERENCES processes (seq),
    body     TEXT NOT NULL,
    input    BLOB NOT NULL,
    node     TEXT,
    answer   TEXT,
    asked_at INTEGER NOT NULL
) STRICT;
CREATE INDEX process_errands_of ON process_errands (process);

-- How many hits were told of all processes of a home.
CREATE TABLE watch_paces (
    home TEXT NOT NULL PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One question whether something may be done, written down before anybody is asked; open while `decision`
-- is NULL. An agreement is bound to the `fingerprint`; `command` is what people are shown of it. `heard` is
-- the newest message when it was asked: an answer is newer. `person` is whose message led to it.
CREATE TABLE approvals (
    seq         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    session     INTEGER NOT NULL REFERENCES sessions (seq),
    turn        INTEGER NOT NULL REFERENCES turns (seq),
    call        TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    platform    TEXT    NOT NULL,
    account     TEXT    NOT NULL,
    chat        TEXT    NOT NULL,
    chat_kind   TEXT    NOT NULL,
    thread      TEXT,
    person      TEXT    NOT NULL,
    person_name TEXT,
    heard       INTEGER NOT NULL,
    asked_at    INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    decision    TEXT
                CHECK (decision = 'once' OR decision = 'conversation' OR decision = 'always'
                       OR decision = 'denied' OR decision = 'answered' OR decision = 'expired'
                       OR decision = 'withdrawn'),
    decided_at  INTEGER,
    decided_by  TEXT
                CHECK (decided_by = 'asker' OR decided_by = 'operator' OR decided_by = 'grant'
                       OR decided_by = 'nobody'),
    reason      TEXT,
    backend     TEXT    NOT NULL,
    workdir     TEXT,
    reasons     TEXT    NOT NULL,
    choices     TEXT,
    command     TEXT    NOT NULL,
    shut        INTEGER NOT NULL DEFAULT 0,
    UNIQUE (turn, call)
) STRICT;
CREATE INDEX approvals_of ON approvals (session, seq);
CREATE INDEX approvals_open ON approvals (seq) WHERE decision IS NULL;
CREATE INDEX approvals_ajar ON approvals (account, seq) WHERE shut = 0;

-- What somebody agreed to beyond one call: in one conversation, or always. The latter holds for whoever
-- agreed (`account` and `person`), or for everybody if it was an operator. `id` is that of the question which
-- was answered so; what people are shown is kept here too, because a question goes with its conversation.
CREATE TABLE approval_grants (
    seq         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    session     INTEGER REFERENCES sessions (seq),
    account     TEXT    NOT NULL,
    person      TEXT    NOT NULL,
    granted_at  INTEGER NOT NULL,
    granted_by  TEXT    NOT NULL CHECK (granted_by = 'asker' OR granted_by = 'operator'),
    backend     TEXT    NOT NULL,
    workdir     TEXT,
    command     TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX approval_grants_in ON approval_grants (session, fingerprint)
    WHERE session IS NOT NULL;
CREATE UNIQUE INDEX approval_grants_always ON approval_grants (fingerprint, granted_by, account, person)
    WHERE session IS NULL;

-- The agent of a conversation, where that is a process of its own: `agent` is the folder in which it is held,
-- if it may run. The body says what the agent calls the conversation and which prompt is under way.
CREATE TABLE agent_links (
    session INTEGER NOT NULL PRIMARY KEY REFERENCES sessions (seq),
    home    TEXT    NOT NULL,
    agent   TEXT,
    used_at INTEGER NOT NULL,
    body    TEXT    NOT NULL
) STRICT;
CREATE INDEX agent_links_running ON agent_links (home, used_at) WHERE agent IS NOT NULL;

-- Pictures whose files are in the home, by the hash of their bytes.
CREATE TABLE media (
    seq     INTEGER PRIMARY KEY,
    id      TEXT    NOT NULL UNIQUE,
    kind    TEXT    NOT NULL,
    bytes   INTEGER NOT NULL,
    width   INTEGER,
    height  INTEGER,
    kept_at INTEGER NOT NULL
) STRICT;
CREATE INDEX media_oldest ON media (kept_at, seq);

-- The bytes of pictures and files, where several nodes share the rows and not the files.
CREATE TABLE media_bytes (
    media INTEGER NOT NULL PRIMARY KEY REFERENCES media (seq),
    bytes BLOB NOT NULL
) STRICT;

-- Which conversations refer to them.
CREATE TABLE media_uses (
    session INTEGER NOT NULL REFERENCES sessions (seq),
    media   INTEGER NOT NULL REFERENCES media (seq),
    PRIMARY KEY (session, media)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_uses_of ON media_uses (media);

-- What stickers show, in words, by the id that their platform gives them everywhere.
CREATE TABLE stickers (
    seq          INTEGER PRIMARY KEY,
    platform     TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    sign         TEXT,
    set_name     TEXT,
    words        TEXT    NOT NULL,
    described_at INTEGER NOT NULL,
    UNIQUE (platform, id)
) STRICT;
CREATE INDEX stickers_oldest ON stickers (described_at, seq);

-- What people chose for their chat with a command: a setting by its name.
CREATE TABLE chat_choices (
    account TEXT NOT NULL,
    chat    TEXT NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (account, chat, name)
) STRICT, WITHOUT ROWID;

-- Chats that have become others, with what each is known by now.
CREATE TABLE chat_moves (
    account TEXT    NOT NULL,
    chat    TEXT    NOT NULL,
    became  TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (account, chat)
) STRICT, WITHOUT ROWID;

-- The chat of an account where words come that nobody asked for: its address as JSON.
CREATE TABLE homes (
    account   TEXT    NOT NULL PRIMARY KEY,
    address   TEXT    NOT NULL,
    chosen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How far a listener has read.
CREATE TABLE cursors (
    account TEXT NOT NULL PRIMARY KEY,
    cursor  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Who works on what until when. Rows are never deleted, or fences would begin again at one.
CREATE TABLE leases (
    name    TEXT    NOT NULL PRIMARY KEY,
    holder  TEXT    NOT NULL,
    node    TEXT    NOT NULL,
    fence   INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One boot of one gateway.
CREATE TABLE nodes (
    seq        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    home       TEXT    NOT NULL,
    place      TEXT    NOT NULL,
    version    TEXT    NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    stopped_at INTEGER
) STRICT;

-- Wishes that the gateway begins anew: which boot shall go, the message that says so, where it was written (JSON), and
-- the message that tells that it is over. `ended_at` is when that was; until then the wish is open.
CREATE TABLE restarts (
    seq      INTEGER PRIMARY KEY,
    node     TEXT    NOT NULL,
    home     TEXT    NOT NULL,
    inbox    TEXT    UNIQUE,
    address  TEXT,
    delivery TEXT    NOT NULL UNIQUE,
    asked_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;
CREATE INDEX restarts_open ON restarts (seq) WHERE ended_at IS NULL;
