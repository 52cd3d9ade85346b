//! Which database is meant.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where ledgers are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// In a file.
    Sqlite(PathBuf),
    /// On a server, by its URL.
    Postgres(String),
}

impl Database {
    /// What kind of database it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Database::Sqlite(_) => "sqlite",
            Database::Postgres(_) => "postgres",
        }
    }

    /// Reads a URL; relative paths are relative to a directory.
    pub fn parse(url: &str, directory: &Path) -> Result<Self, String> {
        if let Some(path) = sqlite_path(url) {
            return match path {
                "" => Err(format!("`{}` names no file", redacted(url))),
                path => Ok(Self::Sqlite(directory.join(path))),
            };
        }
        match url.split_once("://") {
            Some(("postgres" | "postgresql", rest)) if !rest.is_empty() => Ok(Self::Postgres(url.to_owned())),
            _ => Err(format!("`{}` is not a database; write `sqlite:PATH` or `postgres://…`", redacted(url))),
        }
    }

    /// The URL, with whatever is secret in it.
    pub fn url(&self) -> String {
        match self {
            Database::Sqlite(path) => format!("sqlite:{}", path.display()),
            Database::Postgres(url) => url.clone(),
        }
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redacted(&self.url()))
    }
}

/// The path in a `sqlite:` URL, in either of its spellings.
pub(super) fn sqlite_path(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("sqlite:")?;
    Some(rest.strip_prefix("//").unwrap_or(rest))
}

/// A URL without what only its owner should know: passwords and the values of parameters.
pub fn redacted(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (place, parameters) = match rest.split_once('?') {
        Some((place, parameters)) => (place, Some(parameters)),
        None => (rest, None),
    };
    let (authority, path) = place.find('/').map_or((place, ""), |at| place.split_at(at));
    let authority = match authority.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((name, _)) => format!("{name}:***@{host}"),
            None => format!("{user}@{host}"),
        },
        None => authority.to_owned(),
    };
    let parameters = parameters.map(|parameters| {
        let hidden = parameters.split('&').map(|pair| match pair.split_once('=') {
            Some((name @ ("sslmode" | "application_name" | "host" | "port" | "dbname"), value)) => {
                format!("{name}={value}")
            }
            Some((name, _)) => format!("{name}=***"),
            None => "***".to_owned(),
        });
        format!("?{}", hidden.collect::<Vec<_>>().join("&"))
    });
    format!("{scheme}://{authority}{path}{}", parameters.unwrap_or_default())
}

/// A URL whose path may be the secret, as those of webhooks are.
pub fn redacted_path(url: &str) -> String {
    match redacted(url).split_once("://") {
        Some((scheme, rest)) => format!("{scheme}://{}/***", rest.split(['/', '?']).next().unwrap_or_default()),
        None => "***".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_file_or_a_server() {
        let parse = |url| Database::parse(url, Path::new("/p"));
        assert_eq!(parse("sqlite:x/a.db"), Ok(Database::Sqlite("/p/x/a.db".into())));
        assert_eq!(parse("sqlite:///var/a.db"), Ok(Database::Sqlite("/var/a.db".into())));
        assert_eq!(parse("postgres://h/db"), Ok(Database::Postgres("postgres://h/db".into())));
        assert_eq!(
            parse("mysql://root:pw@h/db"),
            Err("`mysql://root:***@h/db` is not a database; write `sqlite:PATH` or `postgres://…`".into())
        );
        assert!(parse("sqlite:").is_err() && parse("a.db").is_err());
    }

    #[test]
    fn what_only_the_owner_should_know_is_not_shown() {
        assert_eq!(
            redacted("postgres://u:p@w@h:5432/db?sslmode=require&password=x"),
            "postgres://u:***@h:5432/db?sslmode=require&password=***"
        );
        assert_eq!(redacted("sqlite:/a/b.db"), "sqlite:/a/b.db");
        assert_eq!(redacted_path("https://hooks.example.org/services/T0/B0/secret"), "https://hooks.example.org/***");
    }
}
