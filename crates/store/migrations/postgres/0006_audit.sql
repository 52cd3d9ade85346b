-- Who changed what: a chain that is only added to. `hash` is that of the entry, its place and the hash before.
CREATE TABLE audit (
    seq BIGINT PRIMARY KEY,
    entry TEXT NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32)
);

CREATE FUNCTION audit_is_only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is only added to';
END
$$;

CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
FOR EACH STATEMENT EXECUTE FUNCTION audit_is_only_added_to();
