-- The counters and states of runs. Small, because every commit rewrites one: what runs say stands in `words`.
CREATE TABLE run (
    ordinal INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    epoch INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    barren INTEGER NOT NULL DEFAULT 0,
    wake INTEGER,
    seq INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0,
    strategy TEXT,
    role TEXT,
    quality REAL,
    session TEXT,
    asker TEXT,
    parent_run BLOB,
    parent_seq INTEGER,
    replanned INTEGER NOT NULL DEFAULT 0,
    in_doubt INTEGER NOT NULL DEFAULT 0,
    resumed INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost INTEGER NOT NULL DEFAULT 0,
    model_calls INTEGER NOT NULL DEFAULT 0,
    tool_calls INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK (NOT ended OR (wake IS NULL))
) STRICT;

CREATE INDEX run_newest ON run (created_at, id);
CREATE INDEX run_session ON run (session, created_at, id) WHERE session IS NOT NULL;
CREATE INDEX run_wake ON run (wake) WHERE wake IS NOT NULL;
CREATE INDEX run_open ON run (owner) WHERE ended = 0;

-- What was asked and answered; `folded` is both in lower case, for searching.
CREATE TABLE words (
    run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    request TEXT NOT NULL,
    answer TEXT,
    error TEXT,
    failure TEXT,
    folded TEXT NOT NULL
) STRICT;

-- Large bodies of events, each once.
CREATE TABLE blob (
    hash BLOB NOT NULL PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

-- A ledger's events lie side by side, and a growing one grows at its end: `place` is the run's ordinal and the sequence
-- number in one integer. Long bodies stay in one page, which they would not in a table without rowids.
CREATE TABLE event (
    place INTEGER PRIMARY KEY CHECK (place = run << 24 | seq),
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    key TEXT NOT NULL,
    input BLOB,
    at INTEGER NOT NULL,
    body TEXT,
    blob BLOB REFERENCES blob,
    CHECK ((body IS NULL) <> (blob IS NULL))
) STRICT;

CREATE UNIQUE INDEX event_key ON event (run, key);
CREATE INDEX event_blob ON event (blob) WHERE blob IS NOT NULL;

CREATE TABLE intent (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    key TEXT NOT NULL,
    intent TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    settlement TEXT,
    declared_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;

-- In an order that never changes, so that an intent costs these indexes little while it is carried out.
CREATE INDEX intent_newest ON intent (declared_at);
CREATE INDEX intent_odd ON intent (status, declared_at) WHERE status <> 'done';

-- What runs wait for or were told: asked without an answer, answered without having been asked, or both.
CREATE TABLE promise (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    name TEXT NOT NULL,
    wait TEXT,
    since INTEGER,
    timer INTEGER,
    answer TEXT,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX promise_open ON promise (since) WHERE wait IS NOT NULL AND answer IS NULL;

CREATE TABLE worker (
    id TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started INTEGER NOT NULL,
    beat INTEGER NOT NULL
) STRICT;

CREATE TABLE memory (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    importance REAL NOT NULL,
    run BLOB,
    at INTEGER NOT NULL,
    forgotten INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE memory_word (
    word TEXT NOT NULL,
    memory INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
    PRIMARY KEY (word, memory)
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_word_memory ON memory_word (memory);
