//! The one folder that calendars are read from and written to.

use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

use domain::tool::{ToolError, ToolSpec};

use crate::errors;
use crate::words::{capped, size};

/// The largest file that is read.
const LARGEST: usize = 16 << 20;

/// The text of a file in the folder.
pub(super) async fn read(spec: &ToolSpec, folder: Option<&Path>, path: &str) -> Result<String, ToolError> {
    let file = within(spec, folder, path)?;
    let shown = capped(path, 200);
    let read = blocking(spec, move || {
        let mut bytes = Vec::new();
        let limit = u64::try_from(LARGEST).unwrap_or(u64::MAX).saturating_add(1);
        std::fs::File::open(&file)?.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    let bytes = read.await?.map_err(|error| errors::failed(spec, format!("`{shown}` cannot be read: {error}")))?;
    if bytes.len() > LARGEST {
        return Err(errors::failed(spec, format!("`{shown}` is larger than {}", size(LARGEST))));
    }
    // Old programs write in the encoding of their day; a calendar with odd letters is better than none.
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Puts a text in the place of a file in the folder, whole or not at all.
pub(super) async fn write(
    spec: &ToolSpec,
    folder: Option<&Path>,
    path: &str,
    text: &str,
) -> Result<PathBuf, ToolError> {
    let file = within(spec, folder, path)?;
    let (shown, text, target) = (capped(path, 200), text.to_owned(), file.clone());
    let written = blocking(spec, move || {
        let folder = target.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let draft = folder.join(format!(".{name}.{}", std::process::id()));
        let mut open = std::fs::File::create(&draft)?;
        open.write_all(text.as_bytes())?;
        open.sync_all()?;
        std::fs::rename(&draft, &target)
    });
    written.await?.map_err(|error| errors::failed(spec, format!("`{shown}` cannot be written: {error}")))?;
    Ok(file)
}

/// A path that does not leave the folder, neither by its words nor by a link.
fn within(spec: &ToolSpec, folder: Option<&Path>, path: &str) -> Result<PathBuf, ToolError> {
    let folder = folder.ok_or_else(|| errors::failed(spec, "no folder for files is configured"))?;
    let outside = || {
        errors::bad_argument(
            spec,
            format!("`path` must lie within `{}`, got `{}`", folder.display(), capped(path, 200)),
        )
    };
    let given = Path::new(path.trim());
    let inner = if given.is_absolute() { given.strip_prefix(folder).map_err(|_| outside())? } else { given };
    let plain = inner.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain || inner.file_name().is_none() {
        return Err(outside());
    }
    let file = folder.join(inner);
    // Where the file or one of its folders is a link, it is what the link leads to that counts.
    let real = file.ancestors().find_map(|part| part.canonicalize().ok());
    match (real, folder.canonicalize()) {
        (Some(real), Ok(root)) if !real.starts_with(&root) => Err(outside()),
        _ => Ok(file),
    }
}

async fn blocking<T: Send + 'static>(
    spec: &ToolSpec,
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<std::io::Result<T>, ToolError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| errors::lost(spec, "the work on a file broke off"))
}
