-- Who has worked on a run, and for how many milliseconds.
ALTER TABLE run ADD COLUMN chain TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE run ADD COLUMN worked_ms BIGINT;

-- What was said about runs before they acted. Apart from `run`, because it is long and changes rarely; with the run's
-- own moment, so that the newest are found without looking at runs that nothing was said about.
CREATE TABLE outlook (
    run BIGINT PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    reported TEXT,
    forecast TEXT
);

CREATE INDEX outlook_newest ON outlook (created_at, run);

-- Requests that are not runs: callers of single stages told about them. `run` is set where the name could be a run's.
CREATE TABLE request (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    run BYTEA CHECK (length(run) = 16),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    status TEXT NOT NULL,
    chain TEXT NOT NULL,
    query TEXT
);

CREATE INDEX request_newest ON request (created_at, ordinal);

-- What stages answered, numbered within request and stage. `run` is set where the request is one, and goes with it.
CREATE TABLE stage_answer (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    request TEXT COLLATE "C" NOT NULL,
    run BIGINT REFERENCES run ON DELETE CASCADE,
    stage TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    at BIGINT NOT NULL,
    quality DOUBLE PRECISION,
    should_replan BOOLEAN NOT NULL,
    should_deepen BOOLEAN NOT NULL,
    answer TEXT NOT NULL
);

CREATE UNIQUE INDEX stage_answer_attempt ON stage_answer (request, stage, attempt);
CREATE INDEX stage_answer_newest ON stage_answer (stage, at, ordinal);
CREATE INDEX stage_answer_run ON stage_answer (run) WHERE run IS NOT NULL;
