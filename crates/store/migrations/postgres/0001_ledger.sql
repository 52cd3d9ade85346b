-- The counters and states of runs. Small, because every commit rewrites one: what runs say stands in `words`.
CREATE TABLE run (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id BYTEA NOT NULL UNIQUE CHECK (length(id) = 16),
    epoch BIGINT NOT NULL DEFAULT 0,
    owner TEXT,
    barren BIGINT NOT NULL DEFAULT 0,
    wake BIGINT,
    seq BIGINT NOT NULL DEFAULT 0,
    status TEXT NOT NULL,
    ended BOOLEAN NOT NULL DEFAULT FALSE,
    strategy TEXT,
    role TEXT,
    quality DOUBLE PRECISION,
    session TEXT,
    asker TEXT,
    parent_run BYTEA,
    parent_seq BIGINT,
    replanned BOOLEAN NOT NULL DEFAULT FALSE,
    in_doubt BOOLEAN NOT NULL DEFAULT FALSE,
    resumed BOOLEAN NOT NULL DEFAULT FALSE,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cost BIGINT NOT NULL DEFAULT 0,
    model_calls BIGINT NOT NULL DEFAULT 0,
    tool_calls BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CHECK (NOT ended OR (wake IS NULL))
);

CREATE INDEX run_newest ON run (created_at, id);
CREATE INDEX run_session ON run (session, created_at, id) WHERE session IS NOT NULL;
CREATE INDEX run_wake ON run (wake) WHERE wake IS NOT NULL;
CREATE INDEX run_open ON run (owner) WHERE NOT ended;

-- What was asked and answered; `folded` is both in lower case, for searching.
CREATE TABLE words (
    run BIGINT PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    request TEXT NOT NULL,
    answer TEXT,
    error TEXT,
    failure TEXT,
    folded TEXT NOT NULL
);

-- Large bodies of events, each once.
CREATE TABLE blob (
    hash BYTEA NOT NULL PRIMARY KEY,
    bytes BYTEA NOT NULL
);

CREATE TABLE event (
    run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    key TEXT NOT NULL,
    input BYTEA,
    at BIGINT NOT NULL,
    body TEXT,
    blob BYTEA REFERENCES blob,
    PRIMARY KEY (run, seq),
    CHECK ((body IS NULL) <> (blob IS NULL))
);

CREATE UNIQUE INDEX event_key ON event (run, key);
CREATE INDEX event_blob ON event (blob) WHERE blob IS NOT NULL;

CREATE TABLE intent (
    run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE,
    key TEXT NOT NULL,
    intent TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    settlement TEXT,
    declared_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (run, key)
);

-- In an order that never changes, so that an intent costs these indexes little while it is carried out.
CREATE INDEX intent_newest ON intent (declared_at);
CREATE INDEX intent_odd ON intent (status, declared_at) WHERE status <> 'done';

-- What runs wait for or were told: asked without an answer, answered without having been asked, or both.
CREATE TABLE promise (
    run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE,
    name TEXT NOT NULL,
    wait TEXT,
    since BIGINT,
    timer BIGINT,
    answer TEXT,
    PRIMARY KEY (run, name)
);

CREATE INDEX promise_open ON promise (since) WHERE wait IS NOT NULL AND answer IS NULL;

CREATE TABLE worker (
    id TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    pid BIGINT NOT NULL,
    started BIGINT NOT NULL,
    beat BIGINT NOT NULL
);

CREATE TABLE memory (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    importance DOUBLE PRECISION NOT NULL,
    run BYTEA,
    at BIGINT NOT NULL,
    forgotten BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE TABLE memory_word (
    word TEXT NOT NULL,
    memory BIGINT NOT NULL REFERENCES memory ON DELETE CASCADE,
    PRIMARY KEY (word, memory)
);

CREATE INDEX memory_word_memory ON memory_word (memory);
