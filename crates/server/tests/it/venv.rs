//! Python with what others wrote, made once and kept with what was built.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A Python with these packages. The first who asks installs them; who asks meanwhile waits.
pub(crate) fn python(name: &str, requirements: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    fs::create_dir_all(target).expect("the target folder");
    let home = target.join(name);
    let mark = home.join("has-requirements.txt");
    let lock = File::create(target.join(format!("{name}.lock"))).expect("a lock");
    lock.lock().expect("locked");
    if fs::read_to_string(&mark).ok().as_deref() != Some(requirements) {
        done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home));
        let list = home.join("requirements.txt");
        fs::write(&list, requirements).expect("written");
        done(Command::new(home.join("bin/python")).args(["-m", "pip", "install", "--quiet", "-r"]).arg(&list));
        fs::rename(&list, &mark).expect("marked");
    }
    home.join("bin/python")
}

/// What a program printed that must have ended well.
pub(crate) fn said(output: &Output) -> String {
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{complained}");
    said.trim().to_owned()
}

fn done(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} does not work:\n{said}\nhint: .ci/prepare installs what tests need");
}
