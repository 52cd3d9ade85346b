//! Passwords: hashed with argon2id beside the threads that answer, a few at a time.

use argon2::Argon2;
use argon2::password_hash::{self, PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

use crate::error::ApiError;

/// How many are hashed at once: each takes a core and 19 MiB.
const AT_ONCE: usize = 2;
/// How many may wait for that; more are told to come back.
const WAITING: usize = 32;
/// When they are to come back, in seconds.
const LATER: u64 = 5;
/// How long a password may be, in characters.
pub(crate) const LENGTH: std::ops::RangeInclusive<usize> = 8..=256;

/// Where passwords are hashed.
#[derive(Debug)]
pub(crate) struct Passwords {
    working: Semaphore,
    waiting: Semaphore,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { working: Semaphore::new(AT_ONCE), waiting: Semaphore::new(AT_ONCE + WAITING) }
    }
}

impl Passwords {
    /// What is kept of a password.
    pub(crate) async fn hash(&self, password: String) -> Result<String, ApiError> {
        let hashed = self.work(move || hash(&password)).await?;
        hashed.map_err(|error| ApiError::Broken(error.into()))
    }

    /// Whether a password is the one of which this is kept. Where nothing is kept it is not, after the same work.
    pub(crate) async fn matches(&self, password: String, kept: Option<String>) -> Result<bool, ApiError> {
        let compare = move || match kept {
            Some(kept) => Argon2::default().verify_password(password.as_bytes(), kept.as_str()).is_ok(),
            None => hash(&password).is_err(),
        };
        self.work(compare).await
    }

    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let _place = self.waiting.try_acquire().map_err(|_| ApiError::TooMany { retry_after: LATER })?;
        let broken = |error: Box<dyn std::error::Error + Send + Sync>| ApiError::Broken(error);
        let _turn = self.working.acquire().await.map_err(|closed| broken(closed.into()))?;
        tokio::task::spawn_blocking(work).await.map_err(|gone| broken(gone.into()))
    }
}

fn hash(password: &str) -> Result<String, password_hash::Error> {
    Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_is_recognised_and_another_is_not() {
        let passwords = Passwords::default();
        let kept = passwords.hash("correct horse".into()).await.expect("hashed");
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, passwords.hash("correct horse".into()).await.expect("hashed"), "each has a salt of its own");
        assert!(passwords.matches("correct horse".into(), Some(kept.clone())).await.expect("compared"));
        assert!(!passwords.matches("correct mule".into(), Some(kept)).await.expect("compared"));
        assert!(!passwords.matches("correct horse".into(), None).await.expect("compared"));
    }
}
