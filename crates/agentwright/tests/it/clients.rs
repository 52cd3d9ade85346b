//! Agentwright as others use it: the official clients of MCP and A2A, in environments that are made once and kept with what
//! was built.

mod a2a;
mod mcp;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use server::Role;
use server::keys::{self, Wanted};

use crate::program::Project;
use crate::venv;

const REQUIREMENTS: &str = include_str!("clients/requirements.txt");
/// The versions that `.ci/prepare` installs too.
const FROM_NPM: [&str; 2] = ["@modelcontextprotocol/client@2.4.0", "@modelcontextprotocol/sdk@1.32.2"];
const PROGRAM: &str = env!("CARGO_BIN_EXE_agentwright");

/// A project in which a person is asked before a timer is set.
fn project() -> Project {
    let rule = "[[approval.rule]]\ntool = \"timer.*\"\nwhen = \"effect == 'write'\"\naction = \"ask\"\n";
    Project::new().file("agentwright.toml", rule)
}

/// A server at an address of its own, until this is dropped.
struct Serving {
    child: Child,
    address: String,
    key: String,
}

impl Serving {
    fn start(project: &Project) -> Self {
        let mut child = project.command(&["serve", "--port", "0"]).spawn().expect("it runs");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut first = String::new();
        stderr.read_line(&mut first).expect("a line");
        let address = first.trim().rsplit_once("http://").unwrap_or_else(|| panic!("{first}")).1.to_owned();
        let mut second = String::new();
        stderr.read_line(&mut second).expect("a line");
        // Whatever else it says must not fill the pipe.
        std::thread::spawn(move || stderr.read_to_string(&mut String::new()));
        let key = fs::read_to_string(project.path().join(".agentwright/server.key")).expect("a key").trim().to_owned();
        Self { child, address, key }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A key with a role, made behind the back of whoever serves.
fn key(project: &Project, role: Role) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let file = project.path().join(".agentwright/agentwright.db");
        let store = store::open(&format!("sqlite:{}", file.display())).await.expect("a store");
        keys::create(store.as_ref(), Wanted::new(role)).await.expect("a key").0
    })
}

/// What a client printed.
fn saw(project: &Project, mut command: Command) -> Value {
    command.current_dir(project.path()).stdin(Stdio::null());
    // The client hands on what surrounds it, and we want to be surrounded by nothing.
    command.env("HOME", project.path()).env("TZ", "UTC").env("NO_PROXY", "*").env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().expect("it runs");
    let said = venv::said(&output);
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/clients").join(name)
}

/// A Python with the official clients.
fn python() -> PathBuf {
    venv::python("peers-venv", REQUIREMENTS)
}

/// The modules with the official clients for Node.
fn modules() -> PathBuf {
    installed("clients-npm", &FROM_NPM.join("\n"), |home| {
        fs::create_dir_all(home).expect("a folder");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error", "--prefix"]);
        done(npm.arg(home).args(FROM_NPM));
    })
}

/// The first who asks installs; who asks meanwhile waits.
fn installed(name: &str, wanted: &str, install: impl Fn(&Path)) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    fs::create_dir_all(target).expect("the target folder");
    let (home, mark) = (target.join(name), target.join(name).join("has"));
    let lock = File::create(target.join(format!("{name}.lock"))).expect("a lock");
    lock.lock().expect("locked");
    if fs::read_to_string(&mark).ok().as_deref().map(str::trim) != Some(wanted.trim()) {
        install(&home);
        fs::write(&mark, wanted).expect("marked");
    }
    home
}

fn done(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} does not work:\n{said}\nhint: .ci/prepare installs the clients");
}
