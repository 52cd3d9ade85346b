//! A real CalDAV server: Radicale, in a Python environment that is made once and kept with what was built.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use reqwest::{Method, StatusCode};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;
use tokio::task::JoinSet;
use tools::CalDav;

/// The version that `.ci/prepare` installs too.
const VERSION: &str = "3.9.0";
const USER: &str = "ada";
const PASSWORD: &str = "love lace";

/// A server with one user and nothing in it. It ends with the test.
pub(crate) struct Radicale {
    base: String,
    folder: tempfile::TempDir,
    child: Child,
    _reading: JoinSet<()>,
}

impl Radicale {
    pub(crate) async fn start() -> Self {
        let python = tokio::task::spawn_blocking(python).await.expect("Radicale is installed");
        let folder = tempfile::tempdir().expect("folder");
        fs::write(folder.path().join("users"), format!("{USER}:{PASSWORD}\n")).expect("written");
        let mut log = Vec::new();
        // Somebody else may take the port between our finding it free and its being used.
        for _ in 0..5 {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
            let address = format!("127.0.0.1:{port}");
            let mut child = serve(&python, folder.path(), &address);
            let mut lines = BufReader::new(child.stderr.take().expect("its log")).lines();
            while let Some(line) = lines.next_line().await.expect("readable") {
                let listens = line.contains("Listening on");
                log.push(line);
                if listens {
                    let mut reading = JoinSet::new();
                    // A log that nobody reads would hold it up.
                    reading.spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                    return Self { base: format!("http://{address}"), folder, child, _reading: reading };
                }
            }
        }
        panic!("Radicale does not start:\n{}", log.join("\n"));
    }

    /// How the user signs in, at some path of the server.
    pub(crate) fn signed_in(&self, path: &str) -> CalDav {
        CalDav {
            url: format!("{}{path}", self.base).parse().expect("an address"),
            user: USER.into(),
            password: PASSWORD.into(),
            client: tools::client().expect("a client"),
        }
    }

    /// What another program of the same user does there.
    pub(crate) async fn elsewhere(&self, method: &str, path: &str, body: &str) -> (StatusCode, String) {
        let CalDav { url, user, password, client } = self.signed_in(path);
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let request = client.request(method, url).basic_auth(user, Some(password)).body(body.to_owned());
        let response = request.header("content-type", "text/calendar").send().await.expect("an answer");
        (response.status(), response.text().await.expect("text"))
    }

    /// Makes a calendar for appointments, or for tasks.
    pub(crate) async fn make(&self, path: &str, kind: &str) {
        let body = format!(
            r#"<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
            <C:supported-calendar-component-set><C:comp name="{kind}"/></C:supported-calendar-component-set>
            </D:prop></D:set></C:mkcalendar>"#
        );
        let (status, text) = self.elsewhere("MKCALENDAR", path, &body).await;
        assert_eq!(status, StatusCode::CREATED, "{text}");
    }

    /// The texts of all appointments in a calendar.
    pub(crate) fn files(&self, path: &str) -> Vec<String> {
        let folder = self.folder.path().join("collections/collection-root").join(path.trim_matches('/'));
        let entries = fs::read_dir(folder).expect("a calendar").map(|entry| entry.expect("an entry").path());
        let mut files: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|kind| kind == "ics")).collect();
        files.sort();
        files.iter().map(|path| fs::read_to_string(path).expect("text")).collect()
    }

    /// Ends the server, for good.
    pub(crate) async fn stop(&mut self) {
        self.child.kill().await.expect("ended");
    }
}

fn serve(python: &Path, folder: &Path, address: &str) -> Child {
    tokio::process::Command::new(python)
        .args(["-m", "radicale", "--config", "", "--server-hosts", address, "--logging-level", "info"])
        .args(["--auth-type", "htpasswd", "--auth-htpasswd-encryption", "plain", "--auth-delay", "0"])
        .arg("--auth-htpasswd-filename")
        .arg(folder.join("users"))
        .arg("--storage-filesystem-folder")
        .arg(folder.join("collections"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("started")
}

/// The Python that has Radicale. The first who asks installs it; who asks meanwhile waits.
fn python() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    fs::create_dir_all(target).expect("the target folder");
    let home = target.join("radicale-venv");
    let (python, mark) = (home.join("bin/python"), home.join(format!("has-radicale-{VERSION}")));
    let lock = File::create(target.join("radicale-venv.lock")).expect("a lock");
    lock.lock().expect("locked");
    if !mark.exists() {
        done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home));
        done(Command::new(&python).args(["-m", "pip", "install", "--quiet", &format!("radicale=={VERSION}")]));
        fs::write(&mark, "").expect("marked");
    }
    python
}

fn done(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} does not work:\n{said}\nhint: .ci/prepare installs Radicale");
}
