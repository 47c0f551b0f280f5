//! Limited tokens: those that the owner makes on the command line. The token itself is nowhere: a row says
//! what it may and whether it lives.

use jiff::Timestamp;
use store::{Lane, Row, StoreError, params};
use token::{Claims, Limits};

use super::grants::{limits_of, limits_to_text};
use super::random_text;
use super::{OauthStore, OauthStoreError, Standing, principal};

/// How long the row of a token is kept after its end, so that the list tells why a client fails.
const KEEP_SECONDS: i64 = 90 * 24 * 60 * 60;

/// A limited token, without the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LimitedToken {
    /// `jti`.
    pub(crate) id: String,
    /// Its name, by which it is revoked; one living token has it.
    pub(crate) name: String,
    /// What it may do and see.
    pub(crate) limits: Limits,
    /// When it was made, in seconds since 1970.
    pub(crate) created_at: i64,
    /// The first second at which it is not valid; `None`: it does not expire.
    pub(crate) expires_at: Option<i64>,
}

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedToken {
    /// The token.
    pub(crate) token: LimitedToken,
    /// When it was revoked, in seconds since 1970.
    pub(crate) revoked_at: Option<i64>,
    /// Whether it was signed under another `MCP_AUTH_TOKEN`, and so ended with that.
    pub(crate) is_of_other_key: bool,
}

impl OauthStore {
    /// An id for a new token: 128 random bits, and behind a dot the mark of the key that signs it, by which it
    /// is known later whether it ended with its key.
    ///
    /// # Errors
    /// [`OauthStoreError::Random`].
    pub(crate) fn new_token_id(&self) -> Result<String, OauthStoreError> {
        Ok(format!("{}.{}", random_text::<16>()?, self.inner.key_mark))
    }

    /// Writes a token down. `false` when a living one has the name. One that has expired or ended with its key
    /// gives its name away.
    ///
    /// # Errors
    /// The engine's.
    pub(crate) fn add_limited(&self, token: &LimitedToken) -> Result<bool, OauthStoreError> {
        let (token, now, mark) = (token.clone(), self.now(), self.inner.key_mark.clone());
        self.database()?.write(Lane::Interactive, move |connection| {
            connection.execute(
                "DELETE FROM limited_tokens WHERE coalesce(revoked_at, expires_at) < ?1",
                params![now.saturating_sub(KEEP_SECONDS)],
            )?;
            connection.execute(
                "UPDATE limited_tokens SET revoked_at = expires_at
                 WHERE name = ?1 AND revoked_at IS NULL AND expires_at <= ?2",
                params![token.name.as_str(), now],
            )?;
            connection.execute(
                "UPDATE limited_tokens SET revoked_at = ?2
                 WHERE name = ?1 AND revoked_at IS NULL AND instr(jti, '.') > 0
                     AND substr(jti, instr(jti, '.') + 1) <> ?3",
                params![token.name.as_str(), now, mark],
            )?;
            let living = connection.query_one(
                "SELECT 1 FROM limited_tokens WHERE name = ?1 AND revoked_at IS NULL",
                params![token.name.as_str()],
                |row| row.get::<i64>(0),
            )?;
            if living.is_some() {
                return Ok(false);
            }
            let (rights, folders) = limits_to_text(&token.limits);
            connection.execute(
                "INSERT INTO limited_tokens (jti, name, rights, folders, created_at, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![token.id, token.name, rights, folders, token.created_at, token.expires_at],
            )?;
            Ok::<_, OauthStoreError>(true)
        })
    }

    /// Every token, the living first, then the latest.
    ///
    /// # Errors
    /// The engine's.
    pub(crate) fn list_limited(&self) -> Result<Vec<ListedToken>, OauthStoreError> {
        let mut tokens = self.database()?.read(|connection| {
            connection.query(
                "SELECT jti, name, rights, folders, created_at, expires_at, revoked_at FROM limited_tokens
                 ORDER BY revoked_at IS NOT NULL, created_at DESC, name",
                &[],
                listed,
            )
        })?;
        for listed in &mut tokens {
            // An id without a mark tells nothing.
            let mark = listed.token.id.split_once('.').map(|(_, mark)| mark);
            listed.is_of_other_key = mark.is_some_and(|mark| mark != self.inner.key_mark);
        }
        tokens.sort_by_key(|listed| listed.is_of_other_key);
        Ok(tokens)
    }

    /// Ends the token of this name, for the next call on. `false` when no living one has it.
    ///
    /// # Errors
    /// The engine's.
    pub(crate) fn revoke_limited(&self, name: &str) -> Result<bool, OauthStoreError> {
        let (name, now) = (name.to_owned(), self.now());
        self.database()?.write(Lane::Interactive, move |connection| {
            let revoked = connection.execute(
                "UPDATE limited_tokens SET revoked_at = ?2 WHERE name = ?1 AND revoked_at IS NULL",
                params![name, now],
            )?;
            Ok::<_, OauthStoreError>(revoked > 0)
        })
    }

    /// What a token without a grant is worth: one of ours is a living row of that name.
    pub(super) fn judge_limited(&self, claims: &Claims) -> Result<Standing, OauthStoreError> {
        let Some(id) = &claims.id else { return Ok(Standing::Unknown) };
        let row = self.database()?.read(|connection| {
            connection.query_one(
                "SELECT name, revoked_at FROM limited_tokens WHERE jti = ?1",
                params![id.as_str()],
                |row| Ok::<_, StoreError>((row.get::<String>(0)?, row.get::<Option<i64>>(1)?)),
            )
        })?;
        Ok(match row {
            Some((name, None)) if name == claims.subject => Standing::Live(principal(claims)),
            Some((name, Some(_))) if name == claims.subject => Standing::Revoked,
            _ => Standing::Unknown,
        })
    }
}

impl ListedToken {
    /// Whether it is taken at `now`.
    pub(crate) fn is_living(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none()
            && !self.is_of_other_key
            && self.token.expires_at.is_none_or(|end| end > now.as_second())
    }
}

fn listed(row: &Row<'_>) -> Result<ListedToken, OauthStoreError> {
    Ok(ListedToken {
        token: LimitedToken {
            id: row.get(0)?,
            name: row.get(1)?,
            limits: limits_of(row, 2)?,
            created_at: row.get(4)?,
            expires_at: row.get(5)?,
        },
        revoked_at: row.get(6)?,
        is_of_other_key: false,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use token::{Right, Secret};

    use super::*;

    #[test]
    fn a_token_ends_with_its_key_and_gives_its_name_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("oauth.db");
        let old = OauthStore::open(&path, &Secret::new("old"), crate::app::now).unwrap();
        let first = LimitedToken { id: old.new_token_id().unwrap(), ..token("", "phone", None) };
        assert!(old.add_limited(&first).unwrap());
        assert!(old.list_limited().unwrap().iter().all(|row| row.is_living(crate::app::now())));
        let new = OauthStore::open(&path, &Secret::new("new"), crate::app::now).unwrap();
        assert!(!new.list_limited().unwrap().iter().any(|row| row.is_living(crate::app::now())));
        let second = LimitedToken { id: new.new_token_id().unwrap(), ..token("", "phone", None) };
        assert!(new.add_limited(&second).unwrap(), "the name is free");
        let living: Vec<_> =
            new.list_limited().unwrap().iter().map(|row| row.is_living(crate::app::now())).collect();
        assert_eq!(living, [true, false]);
    }

    static NOW: AtomicI64 = AtomicI64::new(0);

    fn now() -> Timestamp {
        Timestamp::from_second(NOW.load(Ordering::Relaxed)).unwrap()
    }

    fn token(id: &str, name: &str, expires_at: Option<i64>) -> LimitedToken {
        let limits =
            Limits { rights: Some(vec![Right::Read, Right::Write]), folders: Some(vec!["A b".to_owned()]) };
        LimitedToken { id: id.to_owned(), name: name.to_owned(), limits, created_at: 100, expires_at }
    }

    /// One test, since the clock is shared.
    #[test]
    fn a_name_belongs_to_one_living_token_and_rows_go_when_they_explain_nothing_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("oauth.db");
        NOW.store(100, Ordering::Relaxed);
        let store = OauthStore::open(&path, &Secret::new("s"), now).unwrap();
        assert!(store.add_limited(&token("1", "phone", Some(200))).unwrap());
        assert!(!store.add_limited(&token("2", "phone", Some(200))).unwrap(), "the name is taken");
        assert!(store.add_limited(&token("3", "desk", None)).unwrap());
        assert!(!store.revoke_limited("nobody").unwrap());

        // Another process on the same file, as the command line is.
        let beside = OauthStore::open(&path, &Secret::new("s"), now).unwrap();
        assert!(beside.revoke_limited("desk").unwrap());
        assert!(!beside.revoke_limited("desk").unwrap(), "once");
        let listed = store.list_limited().unwrap();
        let names: Vec<_> = listed.iter().map(|row| (row.token.name.as_str(), row.revoked_at)).collect();
        assert_eq!(names, [("phone", None), ("desk", Some(100))]);
        assert_eq!(listed.first().unwrap().token, token("1", "phone", Some(200)), "what went in comes out");
        assert!(listed.iter().map(|row| row.is_living(now())).eq([true, false]));

        // An expired token gives its name away.
        NOW.store(200, Ordering::Relaxed);
        assert!(!store.list_limited().unwrap().first().unwrap().is_living(now()));
        assert!(store.add_limited(&token("4", "phone", None)).unwrap());
        assert_eq!(store.list_limited().unwrap().len(), 3);
        NOW.store(201 + KEEP_SECONDS, Ordering::Relaxed);
        assert!(store.add_limited(&token("5", "other", None)).unwrap());
        let names: Vec<_> = store.list_limited().unwrap().into_iter().map(|row| row.token.id).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(store.revoke_limited("phone").unwrap());
    }
}
