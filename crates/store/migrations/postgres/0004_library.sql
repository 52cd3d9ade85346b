-- Whether nothing comes of a run: it is a dry run, or stops at its plan.
ALTER TABLE words ADD COLUMN rehearsal BOOLEAN NOT NULL DEFAULT FALSE;

-- A single counter, raised by every transaction that changes the library: `mark` in rows says which was the last. Whoever
-- raises it holds its row until the end, so that marks become visible in their order and nobody who reads on from one
-- misses another.
CREATE TABLE library (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    mark BIGINT NOT NULL
);

INSERT INTO library (one, mark) VALUES (1, 0);

-- What is kept, by its name. `version` is the one that is used, of as many as there are; the record is counted in runs,
-- and stays when these are deleted. `last` is the least number as long as it was never used, and
-- `made` its first mark: those that were never used are listed in that order.
CREATE TABLE item (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'cohort', 'plan', 'skill', 'tool')),
    name TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL CHECK (version BETWEEN 1 AND versions),
    versions BIGINT NOT NULL,
    active BOOLEAN NOT NULL DEFAULT TRUE,
    uses BIGINT NOT NULL DEFAULT 0,
    good BIGINT NOT NULL DEFAULT 0 CHECK (good >= 0),
    bad BIGINT NOT NULL DEFAULT 0 CHECK (bad >= 0),
    last BIGINT NOT NULL DEFAULT -9223372036854775808,
    made BIGINT NOT NULL,
    mark BIGINT NOT NULL,
    UNIQUE (kind, name),
    CHECK (good + bad <= uses)
);

CREATE INDEX item_recent ON item (last, made, ordinal);
CREATE INDEX item_recent_kind ON item (kind, last, made, ordinal);
CREATE INDEX item_mark ON item (mark);

-- Versions are never changed, except for when they are offered; `run` made them and may be gone. `folded` is what they
-- are found by, in lower case.
CREATE TABLE item_version (
    item BIGINT NOT NULL REFERENCES item ON DELETE CASCADE,
    version BIGINT NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    draft TEXT NOT NULL,
    folded TEXT NOT NULL,
    run BYTEA CHECK (length(run) = 16),
    offered_from BIGINT,
    at BIGINT NOT NULL,
    PRIMARY KEY (item, version)
);

CREATE UNIQUE INDEX item_version_hash ON item_version (item, hash);
CREATE INDEX item_version_run ON item_version (run) WHERE run IS NOT NULL;

-- What runs use: each item once for each step. `step` is empty where it is for the whole request.
CREATE TABLE item_use (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item BIGINT NOT NULL REFERENCES item ON DELETE CASCADE,
    run BIGINT NOT NULL REFERENCES run ON DELETE CASCADE,
    step TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    decision TEXT NOT NULL,
    score DOUBLE PRECISION NOT NULL,
    text TEXT NOT NULL,
    good BOOLEAN,
    at BIGINT NOT NULL,
    mark BIGINT NOT NULL
);

CREATE UNIQUE INDEX item_use_run ON item_use (run, item, step);
CREATE INDEX item_use_newest ON item_use (item, at, ordinal);
CREATE INDEX item_use_mark ON item_use (mark);

-- What people said about runs.
CREATE TABLE rating (
    run BIGINT PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    good BOOLEAN NOT NULL,
    words TEXT,
    rater TEXT,
    at BIGINT NOT NULL
);

-- Promises that a person keeps by deciding about a proposal have an id of their own and a rank, 0 for the gravest. Those
-- that nobody had answered when their run ended are withdrawn, all others are deleted.
ALTER TABLE promise ADD COLUMN approval BYTEA CHECK (length(approval) = 16);
ALTER TABLE promise ADD COLUMN rank BIGINT CHECK ((rank IS NULL) = (approval IS NULL));
ALTER TABLE promise ADD COLUMN answered_at BIGINT;
ALTER TABLE promise ADD COLUMN answerer TEXT;
ALTER TABLE promise ADD COLUMN withdrawn BOOLEAN NOT NULL DEFAULT FALSE;

CREATE UNIQUE INDEX promise_approval ON promise (approval) WHERE approval IS NOT NULL;
CREATE INDEX promise_rank ON promise (rank, since, approval) WHERE approval IS NOT NULL;
CREATE INDEX promise_pending ON promise (rank, since, approval)
    WHERE approval IS NOT NULL AND answer IS NULL AND NOT withdrawn;

DROP INDEX promise_open;
CREATE INDEX promise_open ON promise (since) WHERE wait IS NOT NULL AND answer IS NULL AND NOT withdrawn;
