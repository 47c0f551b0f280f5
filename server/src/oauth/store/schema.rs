//! The tables of the OAuth server's file. Times are whole seconds since 1970.

use std::path::Path;

use store::{Connection, StoreError};

use super::error::OauthStoreError;

/// Format of the tables; a file of a later one is not touched.
const FORMAT: i64 = 2;

/// Makes the tables of an empty file and refuses a file of a later format.
pub(super) fn prepare(connection: &Connection, path: &Path) -> Result<(), OauthStoreError> {
    let found = connection.query_one("PRAGMA user_version", &[], |row| row.get::<i64>(0))?;
    match found.ok_or(StoreError::Closed)? {
        FORMAT => return Ok(()),
        found if found > FORMAT => {
            return Err(OauthStoreError::Newer { path: path.to_owned(), found, known: FORMAT });
        }
        1 => return Ok(connection.batch(FROM_1)?),
        _ => {}
    }
    // Another program's file, or the index given by mistake: nothing of it is to be changed.
    let tables = connection.query_one("SELECT count(*) FROM sqlite_schema", &[], |row| row.get::<i64>(0))?;
    if tables != Some(0) {
        let reason = "it holds tables of something else".to_owned();
        return Err(OauthStoreError::Damaged { path: path.to_owned(), reason });
    }
    connection.batch(TABLES)?;
    Ok(())
}

/// Format 1 kept what a client registered a second time, as it was echoed, and counted no registrations.
const FROM_1: &str = "
    ALTER TABLE clients DROP COLUMN metadata;
    CREATE INDEX clients_by_registration ON clients (registered_at);
    PRAGMA user_version = 2;
";

/// What is in a row and is not obvious:
/// - `clients.fingerprint`: hash of the metadata of a public client, by which it registers only once.
/// - `rights`, `folders`: JSON lists as in a token's claims; NULL is no limit.
/// - `grants.client_id`, `codes.client_id`: a registered client's id or the URL of a metadata document, so no
///   foreign key.
/// - `codes.redirect_uri_named`: whether the request named the URI, so that the exchange must name it too.
/// - `codes.grant_id`: the grant that the code will become, known before, so that a code used twice names it.
const TABLES: &str = "
    CREATE TABLE clients (
        id TEXT PRIMARY KEY,
        name TEXT,
        redirect_uris TEXT NOT NULL,
        auth_method TEXT NOT NULL,
        fingerprint BLOB UNIQUE,
        secret_hash BLOB,
        registered_at INTEGER NOT NULL,
        last_used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX clients_by_registration ON clients (registered_at);
    CREATE TABLE grants (
        id TEXT PRIMARY KEY,
        client_id TEXT NOT NULL,
        redirect_uri TEXT NOT NULL,
        rights TEXT,
        folders TEXT,
        created_at INTEGER NOT NULL,
        current_number INTEGER NOT NULL,
        rotated_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX grants_by_client ON grants (client_id, expires_at);
    CREATE INDEX grants_by_expiry ON grants (expires_at);
    CREATE TABLE refresh_tokens (
        hash BLOB PRIMARY KEY,
        grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id, number);
    CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
    CREATE TABLE codes (
        hash BLOB PRIMARY KEY,
        grant_id TEXT NOT NULL,
        client_id TEXT NOT NULL,
        redirect_uri TEXT NOT NULL,
        redirect_uri_named INTEGER NOT NULL,
        code_challenge TEXT NOT NULL,
        rights TEXT,
        folders TEXT,
        expires_at INTEGER NOT NULL,
        used_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX codes_by_expiry ON codes (expires_at);
    CREATE TABLE revoked_tokens (
        jti TEXT PRIMARY KEY,
        expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX revoked_tokens_by_expiry ON revoked_tokens (expires_at);
    CREATE TABLE limited_tokens (
        jti TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        rights TEXT,
        folders TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX limited_tokens_by_name ON limited_tokens (name) WHERE revoked_at IS NULL;
    CREATE TABLE metadata_documents (
        url TEXT PRIMARY KEY,
        body TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        fresh_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    PRAGMA user_version = 2;
";
