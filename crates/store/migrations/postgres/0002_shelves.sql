-- Records that tools keep: what stands under a key, and how often it was changed.
CREATE TABLE kept (
    shelf TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (shelf, key)
);
