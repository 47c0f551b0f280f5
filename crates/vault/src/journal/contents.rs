//! Copies of files, deflated, each content once whoever had it.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use store::{Connection, StoreError, params};

use crate::hash::ContentHash;
use crate::read::MAX_FILE_BYTES;

/// A file's bytes on their way into the journal.
#[derive(Debug, Clone)]
pub(crate) struct Copy {
    pub(crate) hash: ContentHash,
    pub(crate) size: u64,
    /// `None` when the journal has them already.
    pub(crate) deflated: Option<Vec<u8>>,
}

/// Deflated bytes.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::fast());
    // Writing into memory does not fail; should it ever, the copy would be found damaged.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// The bytes, when they are what `hash` says.
pub(crate) fn inflate(deflated: &[u8], hash: ContentHash) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    DeflateDecoder::new(deflated).take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if ContentHash::of(&bytes) == hash { Ok(bytes) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// Whether there is a copy of `hash`.
pub(crate) fn has(connection: &Connection, hash: ContentHash) -> Result<bool, StoreError> {
    let found =
        connection.query_one("SELECT 1 FROM contents WHERE hash = ?1", params![hash.as_bytes()], |row| {
            row.get::<i64>(0)
        })?;
    Ok(found.is_some())
}

/// Puts a copy in, unless it is there.
pub(crate) fn put(connection: &Connection, copy: &Copy) -> Result<(), StoreError> {
    if let Some(deflated) = &copy.deflated {
        connection.execute(
            "INSERT OR IGNORE INTO contents (hash, size, data) VALUES (?1, ?2, ?3)",
            params![copy.hash.as_bytes(), i64::try_from(copy.size).unwrap_or(i64::MAX), deflated],
        )?;
    }
    Ok(())
}

/// The bytes of `hash`; `None` when there is no sound copy.
pub(crate) fn get(connection: &Connection, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
    let deflated = connection.query_one(
        "SELECT data FROM contents WHERE hash = ?1",
        params![hash.as_bytes()],
        |row| row.bytes(0),
    )?;
    Ok(deflated.and_then(|deflated| inflate(&deflated, hash).ok()))
}
