-- Who has worked on a run, as a JSON array of names, and for how many milliseconds.
ALTER TABLE run ADD COLUMN chain TEXT;
ALTER TABLE run ADD COLUMN worked_ms INTEGER;

-- What was said about runs before they acted. Apart from `run`, because it is long and changes rarely; with the run's
-- own moment, so that the newest are found without looking at runs that nothing was said about.
CREATE TABLE outlook (
    run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    reported TEXT,
    forecast TEXT
) STRICT;

CREATE INDEX outlook_newest ON outlook (created_at, run);

-- Requests that are not runs: callers of single stages told about them. `run` is set where the name could be a run's.
CREATE TABLE request (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    run BLOB CHECK (length(run) = 16),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    chain TEXT NOT NULL,
    query TEXT
) STRICT;

CREATE INDEX request_newest ON request (created_at, ordinal);

-- What stages answered, numbered within request and stage. `run` is set where the request is one, and goes with it.
CREATE TABLE stage_answer (
    ordinal INTEGER PRIMARY KEY,
    request TEXT NOT NULL,
    run INTEGER REFERENCES run ON DELETE CASCADE,
    stage TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    at INTEGER NOT NULL,
    quality REAL,
    should_replan INTEGER NOT NULL,
    should_deepen INTEGER NOT NULL,
    answer TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX stage_answer_attempt ON stage_answer (request, stage, attempt);
CREATE INDEX stage_answer_newest ON stage_answer (stage, at, ordinal);
CREATE INDEX stage_answer_run ON stage_answer (run) WHERE run IS NOT NULL;
