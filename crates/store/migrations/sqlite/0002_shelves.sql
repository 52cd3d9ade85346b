-- Records that tools keep: what stands under a key, and how often it was changed.
CREATE TABLE kept (
    shelf TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (shelf, key)
) STRICT, WITHOUT ROWID;
