-- The house: rows in, rows out, and who works on what.
--
-- `seq` is the order in which rows were written; ids are for everyone outside. Times are whole
-- milliseconds. Rows with long texts are ordinary rowid tables: SQLite keeps them out of the inner
-- pages of the tree, which WITHOUT ROWID does not.
--
-- Sets of states are written with OR. For `IN` with three values or more SQLite builds a temporary tree
-- each time a row is checked, in CHECK constraints and in the conditions of partial indexes alike.

-- One conversation in one generation. A message at the door does not touch it: last words, last
-- activity and the order of lists (`listed_at`) move with the claim, which follows within a moment.
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
    created_at INTEGER NOT NULL,
    active_at  INTEGER NOT NULL,
    listed_at  INTEGER NOT NULL,
    entries    INTEGER NOT NULL DEFAULT 0,
    title      TEXT    NOT NULL,
    preview    TEXT    NOT NULL,
    UNIQUE (scope, generation)
) STRICT;
CREATE INDEX sessions_listed ON sessions (listed_at);

-- One run of the agent. `batch` is the JSON list of the messages it answers.
CREATE TABLE turns (
    seq        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    session    INTEGER NOT NULL REFERENCES sessions (seq),
    state      TEXT    NOT NULL
               CHECK (state = 'open' OR state = 'completed' OR state = 'failed'
                      OR state = 'interrupted' OR state = 'abandoned'),
    attempts   INTEGER NOT NULL,
    fence      INTEGER NOT NULL,
    claimed_at INTEGER NOT NULL,
    settled_at INTEGER,
    batch      TEXT    NOT NULL,
    why        TEXT
) STRICT;
CREATE UNIQUE INDEX turns_open ON turns (session) WHERE state = 'open';

-- One accepted message. `body` is the message as JSON with a version. `next` marks the oldest message of
-- a conversation without an open turn, so that a claim costs the same with any backlog
-- (sqlite/ready.rs keeps it); those behind it, or behind an open turn, are `waiting`.
CREATE TABLE inbox (
    seq         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    account     TEXT    NOT NULL,
    event_key   TEXT    NOT NULL,
    session     INTEGER NOT NULL REFERENCES sessions (seq),
    state       TEXT    NOT NULL
                CHECK (state = 'next' OR state = 'waiting' OR state = 'taken' OR state = 'done'),
    turn        INTEGER REFERENCES turns (seq),
    received_at INTEGER NOT NULL,
    body        TEXT    NOT NULL,
    UNIQUE (account, event_key)
) STRICT;
CREATE INDEX inbox_next ON inbox (seq) WHERE state = 'next';
CREATE UNIQUE INDEX inbox_next_of ON inbox (session) WHERE state = 'next';
CREATE INDEX inbox_waiting ON inbox (session, seq) WHERE state = 'waiting';

-- What a turn did, written before its effect is shown.
CREATE TABLE steps (
    turn INTEGER NOT NULL REFERENCES turns (seq),
    seq  INTEGER NOT NULL,
    at   INTEGER NOT NULL,
    body TEXT    NOT NULL,
    PRIMARY KEY (turn, seq)
) STRICT;

-- What was said.
CREATE TABLE transcript (
    session INTEGER NOT NULL REFERENCES sessions (seq),
    seq     INTEGER NOT NULL,
    turn    INTEGER NOT NULL REFERENCES turns (seq),
    at      INTEGER NOT NULL,
    role    TEXT    NOT NULL,
    name    TEXT,
    text    TEXT    NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT;

-- One platform message to be sent once. A lane is (account, chat). `head_at` is when the head of a
-- lane may be sent, and NULL on every other row (sqlite/lanes.rs keeps it); `sent_order` counts the
-- messages of a lane in the order in which they went out, which is not always that of planning.
CREATE TABLE outbox (
    seq        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    turn       INTEGER NOT NULL REFERENCES turns (seq),
    session    INTEGER NOT NULL REFERENCES sessions (seq),
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
    UNIQUE (turn, part)
) STRICT;
CREATE INDEX outbox_heads ON outbox (account, head_at) WHERE head_at IS NOT NULL;
CREATE INDEX outbox_lanes ON outbox (account, chat, seq)
    WHERE state = 'due' OR state = 'sending' OR (state = 'wedged' AND reach <> 'message');
CREATE INDEX outbox_sending ON outbox (account, chat) WHERE state = 'sending';
CREATE INDEX outbox_resting ON outbox (account) WHERE state = 'wedged' AND reach = 'account';
CREATE INDEX outbox_open ON outbox (seq, state)
    WHERE state = 'due' OR state = 'sending' OR state = 'wedged';
CREATE UNIQUE INDEX outbox_sent ON outbox (account, chat, sent_order) WHERE state = 'sent';

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
    version    TEXT    NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    stopped_at INTEGER
) STRICT;
