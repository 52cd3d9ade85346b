-- Which way a run's request went.
ALTER TABLE run ADD COLUMN route TEXT;

UPDATE run
SET route = (
    SELECT iif(json_valid(routed.body), json_extract(routed.body, '$.data.route'), NULL)
    FROM (
        SELECT coalesce(event.body, CAST(blob.bytes AS TEXT)) AS body
        FROM event LEFT JOIN blob ON blob.hash = event.blob
        WHERE event.run = run.ordinal AND event.key = 'routed'
    ) AS routed
);

-- A single counter, raised for every trace that changes: `mark` in its row says when that was last.
CREATE TABLE trail (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    mark INTEGER NOT NULL
) STRICT;

-- Traces as listings show them: of our runs that have ended, unless nothing came of them, and of others. A `stale` row
-- is to be written anew from the ledger or the pieces before it is shown.
CREATE TABLE trace (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    run INTEGER UNIQUE REFERENCES run ON DELETE CASCADE,
    standing TEXT NOT NULL CHECK (standing IN ('evidence', 'watched')),
    mark INTEGER NOT NULL,
    stale INTEGER NOT NULL,
    agent TEXT NOT NULL DEFAULT 'unknown',
    problem TEXT NOT NULL DEFAULT 'unknown',
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    success INTEGER,
    calls INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    CHECK ((run IS NOT NULL) = (source = 'own'))
) STRICT;

CREATE INDEX trace_newest ON trace (started_at, ordinal);
CREATE INDEX trace_agent ON trace (agent, started_at, ordinal);
CREATE INDEX trace_source ON trace (source, started_at, ordinal);
CREATE INDEX trace_mark ON trace (mark);
CREATE INDEX trace_stale ON trace (mark) WHERE stale = 1;

INSERT INTO trace (id, source, run, standing, mark, stale, started_at)
SELECT 'run_' || lower(hex(run.id)), 'own', run.ordinal, 'evidence',
    row_number() OVER (ORDER BY run.updated_at, run.ordinal), 1, run.created_at
FROM run JOIN words ON words.run = run.ordinal
WHERE run.ended = 1 AND words.rehearsal = 0;

INSERT INTO trail (one, mark) SELECT 1, count(*) FROM trace;

-- What arrived of others' traces. `told` pieces say something about the whole, the others are steps of it.
CREATE TABLE trace_part (
    ordinal INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace ON DELETE CASCADE,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('told', 'call', 'failure', 'step')),
    body TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX trace_part_key ON trace_part (trace, key);
CREATE INDEX trace_part_told ON trace_part (trace) WHERE kind = 'told';

-- Sources that nothing is learnt from any more.
CREATE TABLE revoked_source (
    source TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How calls of tools went, by how long they took: see the code for what a bucket is. Stays when runs are deleted.
CREATE TABLE tool_record (
    tool TEXT NOT NULL,
    failed INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (tool, failed, bucket)
) STRICT, WITHOUT ROWID;

-- How far learning has come, and who learns.
CREATE TABLE learning (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    revision INTEGER NOT NULL,
    cycles INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    state BLOB,
    learner TEXT,
    until INTEGER,
    CHECK ((learner IS NULL) = (until IS NULL))
) STRICT;

INSERT INTO learning (one, revision, cycles, mark) VALUES (1, 0, 0, 0);

-- What was learnt from, as it was then: the trace may have changed since, or be gone.
CREATE TABLE evidence (
    trace TEXT NOT NULL PRIMARY KEY,
    sketch TEXT NOT NULL
) STRICT;

CREATE TABLE observation (
    ordinal INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL,
    trace TEXT NOT NULL,
    arm TEXT NOT NULL CHECK (arm IN ('control', 'candidate')),
    success INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX observation_trace ON observation (experiment, trace);
CREATE INDEX observation_order ON observation (experiment, ordinal);

CREATE TABLE lesson (
    id TEXT NOT NULL PRIMARY KEY,
    changed_at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

-- Versions of what agents are told are never changed; `guideline` says which one each is told now.
CREATE TABLE guideline_version (
    agent TEXT NOT NULL,
    major INTEGER NOT NULL,
    minor INTEGER NOT NULL,
    patch INTEGER NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    body TEXT NOT NULL,
    PRIMARY KEY (agent, major, minor, patch)
) STRICT;

CREATE TABLE guideline (
    agent TEXT NOT NULL PRIMARY KEY,
    major INTEGER NOT NULL,
    minor INTEGER NOT NULL,
    patch INTEGER NOT NULL,
    FOREIGN KEY (agent, major, minor, patch) REFERENCES guideline_version
) STRICT;

CREATE TABLE experiment (
    id TEXT NOT NULL PRIMARY KEY,
    open INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE INDEX experiment_newest ON experiment (started_at, id);
CREATE INDEX experiment_open ON experiment (started_at, id) WHERE open = 1;

CREATE TABLE cycle (
    number INTEGER PRIMARY KEY,
    report TEXT NOT NULL
) STRICT;
