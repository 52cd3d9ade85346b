//! Lays the dashboard's files where they are compiled in from, if they have been built: `make dashboard` does that.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[expect(clippy::disallowed_methods, reason = "this is how Cargo tells where to build")]
fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let built = here.join("../../dashboard/dist");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("dashboard");
    println!("cargo::rerun-if-changed={}", built.display());
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(&out)?;
    if built.is_dir() { copy(&built, &out) } else { Ok(()) }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
