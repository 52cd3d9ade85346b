-- Which way a run's request went.
ALTER TABLE run ADD COLUMN route TEXT;

-- Only the first field of a routed event's body is read: the rest may hold what PostgreSQL takes for no JSON.
UPDATE run
SET route = (
    SELECT substring(
        coalesce(event.body, convert_from(blob.bytes, 'UTF8'))
        FROM '^\{"kind":"routed","data":\{"route":"([a-z]+)"'
    )
    FROM event LEFT JOIN blob ON blob.hash = event.blob
    WHERE event.run = run.ordinal AND event.key = 'routed'
);

-- A single counter, raised for every trace that changes: `mark` in its row says when that was last. Whoever raises it
-- holds its row until the end, so that marks become visible in their order.
CREATE TABLE trail (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    mark BIGINT NOT NULL
);

-- Traces as listings show them: of our runs that have ended, unless nothing came of them, and of others. A `stale` row
-- is to be written anew from the ledger or the pieces before it is shown.
CREATE TABLE trace (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    source TEXT COLLATE "C" NOT NULL,
    run BIGINT UNIQUE REFERENCES run ON DELETE CASCADE,
    standing TEXT NOT NULL CHECK (standing IN ('evidence', 'watched')),
    mark BIGINT NOT NULL,
    stale BOOLEAN NOT NULL,
    agent TEXT COLLATE "C" NOT NULL DEFAULT 'unknown',
    problem TEXT COLLATE "C" NOT NULL DEFAULT 'unknown',
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    success BOOLEAN,
    calls BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    CHECK ((run IS NOT NULL) = (source = 'own'))
);

CREATE INDEX trace_newest ON trace (started_at, ordinal);
CREATE INDEX trace_agent ON trace (agent, started_at, ordinal);
CREATE INDEX trace_source ON trace (source, started_at, ordinal);
CREATE INDEX trace_mark ON trace (mark);
CREATE INDEX trace_stale ON trace (mark) WHERE stale;

INSERT INTO trace (id, source, run, standing, mark, stale, started_at)
SELECT 'run_' || encode(run.id, 'hex'), 'own', run.ordinal, 'evidence',
    row_number() OVER (ORDER BY run.updated_at, run.ordinal), TRUE, run.created_at
FROM run JOIN words ON words.run = run.ordinal
WHERE run.ended AND NOT words.rehearsal;

INSERT INTO trail (one, mark) SELECT 1, count(*) FROM trace;

-- What arrived of others' traces. `told` pieces say something about the whole, the others are steps of it.
CREATE TABLE trace_part (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trace BIGINT NOT NULL REFERENCES trace ON DELETE CASCADE,
    key TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('told', 'call', 'failure', 'step')),
    body TEXT NOT NULL
);

CREATE UNIQUE INDEX trace_part_key ON trace_part (trace, key);
CREATE INDEX trace_part_told ON trace_part (trace) WHERE kind = 'told';

-- Sources that nothing is learnt from any more.
CREATE TABLE revoked_source (
    source TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);

-- How calls of tools went, by how long they took: see the code for what a bucket is. Stays when runs are deleted.
CREATE TABLE tool_record (
    tool TEXT COLLATE "C" NOT NULL,
    failed BOOLEAN NOT NULL,
    bucket BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    PRIMARY KEY (tool, failed, bucket)
);

-- How far learning has come, and who learns.
CREATE TABLE learning (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    revision BIGINT NOT NULL,
    cycles BIGINT NOT NULL,
    mark BIGINT NOT NULL,
    state BYTEA,
    learner TEXT,
    until BIGINT,
    CHECK ((learner IS NULL) = (until IS NULL))
);

INSERT INTO learning (one, revision, cycles, mark) VALUES (1, 0, 0, 0);

-- What was learnt from, as it was then: the trace may have changed since, or be gone.
CREATE TABLE evidence (
    trace TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    sketch TEXT NOT NULL
);

CREATE TABLE observation (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    experiment TEXT COLLATE "C" NOT NULL,
    trace TEXT COLLATE "C" NOT NULL,
    arm TEXT NOT NULL CHECK (arm IN ('control', 'candidate')),
    success BOOLEAN NOT NULL
);

CREATE UNIQUE INDEX observation_trace ON observation (experiment, trace);
CREATE INDEX observation_order ON observation (experiment, ordinal);

CREATE TABLE lesson (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    changed_at BIGINT NOT NULL,
    body TEXT NOT NULL
);

-- Versions of what agents are told are never changed; `guideline` says which one each is told now.
CREATE TABLE guideline_version (
    agent TEXT COLLATE "C" NOT NULL,
    major BIGINT NOT NULL,
    minor BIGINT NOT NULL,
    patch BIGINT NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    body TEXT NOT NULL,
    PRIMARY KEY (agent, major, minor, patch)
);

CREATE TABLE guideline (
    agent TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    major BIGINT NOT NULL,
    minor BIGINT NOT NULL,
    patch BIGINT NOT NULL,
    FOREIGN KEY (agent, major, minor, patch) REFERENCES guideline_version
);

CREATE TABLE experiment (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    open BOOLEAN NOT NULL,
    started_at BIGINT NOT NULL,
    body TEXT NOT NULL
);

CREATE INDEX experiment_newest ON experiment (started_at, id);
CREATE INDEX experiment_open ON experiment (started_at, id) WHERE open;

CREATE TABLE cycle (
    number BIGINT PRIMARY KEY,
    report TEXT NOT NULL
);
