-- Who changed what: a chain that is only added to. `hash` is that of the entry, its place and the hash before.
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    entry TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is only added to');
END;

CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is only added to');
END;
