//! A PostgreSQL server of our own, on a free port, for as long as a test needs it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;

/// A server that is stopped when dropped.
pub(crate) struct Server {
    programs: PathBuf,
    folder: TempDir,
    port: u16,
}

impl Server {
    /// Starts a server with nothing in it.
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let server = Self { programs: programs(), folder, port };
        if is_root() {
            let owned = Command::new("chown").arg("postgres").arg(server.folder.path()).output();
            expect("chown", owned.expect("chown"));
        }
        let data = server.data();
        server.run("initdb", &["-D", &data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]);
        server.resume();
        server
    }

    /// Starts it again.
    pub(crate) fn resume(&self) {
        let options =
            format!("-p {} -k {} -c listen_addresses=127.0.0.1 -c fsync=off", self.port, self.folder.path().display());
        let log = self.folder.path().join("log").display().to_string();
        self.run("pg_ctl", &["-D", &self.data(), "-w", "-l", &log, "-o", &options, "start"]);
    }

    /// Stops it as a crash would.
    pub(crate) fn stop(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-w", "-m", "immediate", "stop"]);
    }

    /// The address of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Makes a database, and returns its address.
    pub(crate) async fn database(&self, name: &str) -> String {
        self.execute("postgres", format!("CREATE DATABASE {name}")).await;
        self.url(name)
    }

    /// Makes a place in the first database where nothing has been written, and returns its address. Much cheaper than a
    /// database, which is hundreds of files.
    pub(crate) async fn place(&self, name: &str) -> String {
        self.execute("postgres", format!("CREATE SCHEMA {name}")).await;
        format!("{}?options=-c%20search_path%3D{name}", self.url("postgres"))
    }

    /// Executes a statement in a database.
    pub(crate) async fn execute(&self, database: &str, statement: String) {
        let mut connection = PgConnection::connect(&self.url(database)).await.expect("connected");
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.expect("executed");
        connection.close().await.expect("closed");
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        expect(program, self.command(program).args(arguments).output().expect(program));
    }

    /// The server refuses to work for root.
    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be stopped already, and a panic here would hide the one that led here.
        let _ = self.command("pg_ctl").args(["-D", &self.data(), "-m", "immediate", "stop"]).output();
    }
}

/// The folder that `initdb` and `pg_ctl` are in; they are installed where that is possible.
fn programs() -> PathBuf {
    if let Some(folder) = find() {
        return folder;
    }
    if is_root() {
        let _ = Command::new("apt-get").args(["install", "-y", "postgresql"]).output();
    }
    find().expect("PostgreSQL's `initdb` and `pg_ctl` are needed: `apt-get install postgresql`")
}

fn find() -> Option<PathBuf> {
    if Command::new("pg_ctl").arg("--version").output().is_ok() {
        return Some(PathBuf::new());
    }
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    versions.flatten().map(|version| version.path().join("bin")).find(|folder| folder.join("pg_ctl").exists())
}

fn is_root() -> bool {
    Path::new("/proc/self").metadata().is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

fn expect(program: &str, output: Output) {
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}
