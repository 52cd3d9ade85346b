//! The folders that may be looked into, and nothing else: no links out of them, nothing hidden, nothing ignored.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::text;

/// The largest file that is read.
pub(crate) const LARGEST: u64 = 2 << 20;
/// The most files that are looked at; what lies beyond is not found.
const MOST: usize = 50_000;
/// How deep folders may lie in each other.
const DEEPEST: usize = 32;
/// Folders that hold what machines wrote.
const MACHINES: [&str; 5] = ["target", "node_modules", "__pycache__", "venv", "dist"];

/// Folders of the user.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    folders: Vec<PathBuf>,
    ignore: Vec<String>,
}

/// What tells one version of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// In nanoseconds since 1970.
    pub(crate) modified: i64,
    pub(crate) size: u64,
}

/// All the files there are to search.
pub(crate) struct Walked {
    pub(crate) files: BTreeMap<PathBuf, Stamp>,
    /// Whether everything was looked at.
    pub(crate) whole: bool,
}

impl Folders {
    pub(crate) fn new(folders: Vec<PathBuf>, ignore: Vec<String>) -> Self {
        Self { folders, ignore }
    }

    /// The folders that exist, by their real names.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        self.folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect()
    }

    /// All text-like files. A folder that cannot be read is left out.
    pub(crate) fn walk(&self) -> Walked {
        let mut walked = Walked { files: BTreeMap::new(), whole: true };
        for root in self.roots() {
            let mut open = vec![(root.clone(), 0)];
            while let Some((folder, depth)) = open.pop() {
                let Ok(entries) = fs::read_dir(&folder) else { continue };
                for entry in entries.flatten() {
                    let path = entry.path();
                    let Ok(kind) = entry.file_type() else { continue };
                    if !self.wanted(&root, &path) {
                        continue;
                    }
                    if kind.is_dir() && depth < DEEPEST {
                        open.push((path, depth + 1));
                    } else if kind.is_file() && text::is_text_like(&path) {
                        if walked.files.len() >= MOST {
                            walked.whole = false;
                            return walked;
                        }
                        if let Some(stamp) = entry.metadata().ok().and_then(|about| stamp(&about)) {
                            walked.files.insert(path, stamp);
                        }
                    }
                }
            }
        }
        walked
    }

    /// The real path of a file that may be read: it lies in a folder, by whatever way it was named.
    pub(crate) fn find(&self, path: &Path) -> Option<PathBuf> {
        let roots = self.roots();
        let named = match path.is_absolute() {
            true => vec![path.to_path_buf()],
            false => roots.iter().map(|root| root.join(path)).collect(),
        };
        named.iter().filter_map(|path| path.canonicalize().ok()).find(|real| {
            let inside = roots.iter().any(|root| real.starts_with(root) && self.wanted(root, real));
            inside && real.is_file()
        })
    }

    /// The bytes of a file that lies in a folder and is not too large.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let real = self.find(path).ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = Vec::new();
        File::open(real)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > LARGEST {
            true => Err(io::ErrorKind::FileTooLarge.into()),
            false => Ok(bytes),
        }
    }

    fn wanted(&self, root: &Path, path: &Path) -> bool {
        let Ok(within) = path.strip_prefix(root) else { return false };
        let names = within.components().map(|component| match component {
            Component::Normal(name) => name.to_string_lossy().into_owned(),
            _ => "..".into(),
        });
        let names: Vec<String> = names.collect();
        let whole = names.join("/");
        let ignored = |pattern: &str| match pattern.trim_matches('/') {
            "" => false,
            pattern if pattern.contains('/') => fits(pattern, &whole) || fits(&format!("{pattern}/*"), &whole),
            pattern => names.iter().any(|name| fits(pattern, name)),
        };
        let odd = |name: &String| name.starts_with('.') || MACHINES.contains(&name.as_str());
        !names.iter().any(odd) && !self.ignore.iter().any(|pattern| ignored(pattern))
    }
}

fn stamp(about: &fs::Metadata) -> Option<Stamp> {
    let modified = about.modified().ok()?.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    Some(Stamp { modified: i64::try_from(modified).unwrap_or(i64::MAX), size: about.len() })
}

/// Whether a name fits a pattern in which `*` is anything.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(before) else { return false };
    let mut parts: Vec<&str> = after.split('*').collect();
    let Some(last) = parts.pop() else { return true };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_anything() {
        for (pattern, name) in [("*.log", "a.log"), ("a*c", "abc"), ("*", ""), ("a*b*c", "a-b-b-c"), ("x", "x")] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.log", "a.logs"), ("a*b*c", "ac"), ("x", "xy"), ("a*a", "a")] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn names_and_paths_are_ignored() {
        let folders = Folders::new(vec![], ["drafts", "*.tmp", "work/old"].map(String::from).to_vec());
        let wanted = |path: &str| folders.wanted(Path::new("/f"), &Path::new("/f").join(path));
        assert!(wanted("a/b.md") && wanted("work/new.md") && wanted("old/a.md"));
        for path in ["drafts/a.md", "a/drafts/b.md", "x.tmp", "work/old/a.md", ".git/config", "a/.hidden", "target/x.d"]
        {
            assert!(!wanted(path), "{path}");
        }
    }
}
