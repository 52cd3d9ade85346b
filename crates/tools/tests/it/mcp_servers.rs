//! MCP servers that others wrote, in environments that are made once and kept with what was built.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What is installed, in the versions that `.ci/prepare` installs too.
const FROM_NPM: [(&str, &str); 2] = [
    ("@modelcontextprotocol/server-everything", "2026.8.31"),
    ("@modelcontextprotocol/server-filesystem", "2026.8.31"),
];
const FROM_PYPI: [(&str, &str); 2] = [("mcp-server-time", "2026.10.19"), ("mcp-server-git", "2026.10.19")];

/// The program of a server from npm, for example `mcp-server-everything`.
pub(crate) fn from_npm(program: &str) -> String {
    let home = installed("mcp-npm", &FROM_NPM, '@', |home, packages| {
        fs::create_dir_all(home).expect("a folder");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error", "--prefix"]);
        done(npm.arg(home).args(packages));
    });
    home.join("node_modules/.bin").join(program).display().to_string()
}

/// The program of a server from PyPI, for example `mcp-server-time`.
pub(crate) fn from_pypi(program: &str) -> String {
    let home = installed("mcp-venv", &FROM_PYPI, '=', |home, packages| {
        done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(home));
        let packages = packages.iter().map(|package| package.replacen('=', "==", 1));
        done(Command::new(home.join("bin/python")).args(["-m", "pip", "install", "--quiet"]).args(packages));
    });
    home.join("bin").join(program).display().to_string()
}

/// The reference server, listening at an address of its own until this is dropped.
pub(crate) struct Listening {
    child: Child,
    pub(crate) url: String,
}

impl Listening {
    pub(crate) fn start() -> Self {
        let program = from_npm("mcp-server-everything");
        // Somebody else may take the port between our finding it free and its being used.
        for _ in 0..5 {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
            let mut command = Command::new(&program);
            command.arg("streamableHttp").env("PORT", port.to_string());
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("started");
            let lines = BufReader::new(child.stderr.take().expect("its log")).lines();
            let listens = lines.map_while(Result::ok).any(|line| line.contains("listening on port"));
            let it = Self { child, url: format!("http://127.0.0.1:{port}/mcp") };
            if listens {
                return it;
            }
        }
        panic!("the server does not start");
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first who asks installs; who asks meanwhile waits.
fn installed(name: &str, wanted: &[(&str, &str)], sign: char, install: impl Fn(&Path, &[String])) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    fs::create_dir_all(target).expect("the target folder");
    let home = target.join(name);
    let versions: Vec<&str> = wanted.iter().map(|(_, version)| *version).collect();
    let mark = home.join(format!("has-{}", versions.join("-")));
    let lock = File::create(target.join(format!("{name}.lock"))).expect("a lock");
    lock.lock().expect("locked");
    if !mark.exists() {
        let packages: Vec<String> = wanted.iter().map(|(name, version)| format!("{name}{sign}{version}")).collect();
        install(&home, &packages);
        fs::write(&mark, "").expect("marked");
    }
    home
}

fn done(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} does not work:\n{said}\nhint: .ci/prepare installs what is missing");
}
