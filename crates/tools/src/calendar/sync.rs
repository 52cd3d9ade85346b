//! What the shelf and the server have to tell each other. The server is heard first and wins; what was changed here
//! meanwhile is kept beside it.

use std::time::Duration;

use domain::tool::{Effect, Repeat, ToolError, ToolSpec};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::caldav::{CalDav, Collection, Resource, Sent};
use super::event::{Event, Record, Remote, id_of, uid_for};
use super::{ical, say};
use crate::declare::{fields, list, returning, spec};
use crate::phrase::listed;

/// How often it is begun again when others change the same appointments meanwhile.
const ROUNDS: usize = 3;
/// The most problems that are said.
const NAMED: usize = 5;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {}

/// What was exchanged.
#[derive(Debug, Default)]
struct Report {
    received: usize,
    removed: usize,
    sent: usize,
    deleted: usize,
    conflicts: Vec<String>,
    problems: Vec<String>,
}

/// What hearing about one appointment comes to.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    /// How it is to be kept, if anything changes.
    keep: Option<Record>,
    /// What is kept beside it.
    copy: Option<Record>,
    received: bool,
    removed: bool,
    conflict: Option<String>,
}

pub(super) fn declaration() -> ToolSpec {
    let effect = Effect::Write { reversible: false, repeat: Repeat::SameKey, external: true, targets: Vec::new() };
    let about = "Exchanges changes with the user's calendar server: takes what is new there, sends what is new here.";
    let timeout = Some(Duration::from_secs(120));
    let returns = fields(
        json!({
            "received": "integer", "removed": "integer", "sent": "integer", "deleted": "integer",
            "conflicts": list("string"), "problems": list("string"), "synchronised": "boolean", "said": "string",
        }),
        json!({}),
    );
    ToolSpec { timeout, ..returning(spec::<Arguments>("calendar.sync", about, effect), returns) }
}

pub(super) async fn exchange(spec: &ToolSpec, book: &Book, with: &CalDav, now: Timestamp) -> Result<Value, ToolError> {
    let collection = Collection::find(spec, with).await?;
    let exchange = Exchange { spec, book, collection: &collection, now };
    let mut report = Report::default();
    for _ in 0..ROUNDS {
        exchange.hear(&mut report).await?;
        if exchange.tell(&mut report).await? {
            break;
        }
    }
    book.tidy(spec, now).await?;
    let clean = !book.records(spec).await?.iter().any(|record| record.unsent);
    Ok(json!({
        "received": report.received, "removed": report.removed, "sent": report.sent, "deleted": report.deleted,
        "conflicts": report.conflicts, "problems": report.problems, "synchronised": clean,
        "said": words(&report),
    }))
}

struct Exchange<'x> {
    spec: &'x ToolSpec,
    book: &'x Book,
    collection: &'x Collection<'x>,
    now: Timestamp,
}

impl Exchange<'_> {
    /// Takes what has changed on the server.
    async fn hear(&self, report: &mut Report) -> Result<(), ToolError> {
        let versions = self.collection.versions().await?;
        let records = self.book.records(self.spec).await?;
        let seen = |href: &String, etag: &String| {
            let remotes = records.iter().filter_map(|record| record.remote.as_ref());
            remotes.into_iter().any(|remote| remote.href == *href && remote.etag == *etag)
        };
        let news: Vec<String> =
            versions.iter().filter(|(href, etag)| !seen(href, etag)).map(|(href, _)| href.clone()).collect();
        for resource in self.collection.fetch(&news).await? {
            self.take(resource, report).await?;
        }
        for record in &records {
            let Some(remote) = record.remote.as_ref().filter(|remote| !versions.contains_key(&remote.href)) else {
                continue;
            };
            let here = self.collection.holds(remote);
            self.keep(&record.id(), report, |there| match there {
                // Somebody else has seen to it.
                Some(there) if there.remote.as_ref() != Some(remote) => Heard::default(),
                Some(there) if here => missing(there, self.now),
                // It was on another server: this one has yet to hear of it.
                Some(there) => Heard { keep: Some(Record { remote: None, unsent: true, ..there }), ..Heard::default() },
                None => Heard::default(),
            })
            .await?;
        }
        Ok(())
    }

    async fn take(&self, resource: Resource, report: &mut Report) -> Result<(), ToolError> {
        let Resource { remote, text } = resource;
        let read = match ical::read(&text, &self.book.home) {
            Ok(read) => read,
            Err(problem) => {
                report.problems.push(format!("`{}` on the server cannot be read: {problem}", remote.href));
                return Ok(());
            }
        };
        let Some((event, sequence)) = read.events.into_iter().next() else { return Ok(()) };
        self.keep(&id_of(&event.uid), report, |there| heard(there, &event, sequence, &remote, self.now)).await
    }

    async fn keep(
        &self,
        id: &str,
        report: &mut Report,
        mut decide: impl FnMut(Option<Record>) -> Heard + Send,
    ) -> Result<(), ToolError> {
        // The copy is kept first: whatever happens in between, nothing is lost.
        let first = decide(self.book.record(self.spec, id).await?);
        self.keep_copy(first.copy.as_ref()).await?;
        let mut last = Heard::default();
        let kept = self.book.change(self.spec, id, |there| {
            last = decide(there);
            last.keep.clone()
        });
        if kept.await? {
            if last.copy != first.copy {
                self.keep_copy(last.copy.as_ref()).await?;
            }
            report.received += usize::from(last.received);
            report.removed += usize::from(last.removed);
            report.conflicts.extend(last.conflict);
        }
        Ok(())
    }

    async fn keep_copy(&self, copy: Option<&Record>) -> Result<(), ToolError> {
        if let Some(copy) = copy {
            self.book.change(self.spec, &copy.id(), |there| there.is_none().then(|| copy.clone())).await?;
        }
        Ok(())
    }

    /// Sends what has changed here. Says whether nobody was there before.
    async fn tell(&self, report: &mut Report) -> Result<bool, ToolError> {
        let mut first = true;
        for record in self.book.records(self.spec).await?.into_iter().filter(|record| record.unsent) {
            let title = record.event.about.title.clone();
            let sent = match (&record.gone, &record.remote) {
                (Some(_), None) => {
                    self.settle(&record, None).await?;
                    continue;
                }
                (Some(_), Some(remote)) => self.collection.delete(remote).await?,
                (None, remote) => {
                    let text = ical::write(&[&record], &self.book.home);
                    self.collection.put(&record.id(), remote.as_ref(), text).await?
                }
            };
            match sent {
                Sent::Done(_) if record.gone.is_some() => {
                    self.settle(&record, None).await?;
                    report.deleted += 1;
                }
                Sent::Done(remote) => {
                    self.settle(&record, Some(remote)).await?;
                    report.sent += 1;
                }
                Sent::Overtaken => first = false,
                Sent::Refused(why) => {
                    let problem = format!("the server does not take “{title}”: {why}");
                    if !report.problems.contains(&problem) {
                        report.problems.push(problem);
                    }
                }
            }
        }
        Ok(first)
    }

    /// Notes what the server has now. What was changed here since it was sent stays unsent.
    async fn settle(&self, sent: &Record, remote: Option<Remote>) -> Result<(), ToolError> {
        let change = |there: Option<Record>| {
            let there = there?;
            let unsent = there != *sent;
            Some(Record { remote: remote.clone(), unsent, ..there })
        };
        self.book.change(self.spec, &sent.id(), change).await.map(|_| ())
    }
}

/// What the server's version of an appointment makes of ours.
fn heard(there: Option<Record>, event: &Event, sequence: u32, remote: &Remote, now: Timestamp) -> Heard {
    let theirs = |mut record: Record| {
        record.event = event.clone();
        record.remote = Some(remote.clone());
        record.sequence = record.sequence.max(sequence);
        Record { unsent: false, gone: None, changed: now, ..record }
    };
    let title = &event.about.title;
    match there {
        None => Heard { keep: Some(theirs(Record::new(event.clone(), now))), received: true, ..Heard::default() },
        Some(ours) if ours.remote.as_ref() == Some(remote) => Heard::default(),
        Some(ours) if !ours.unsent => Heard { keep: Some(theirs(ours)), received: true, ..Heard::default() },
        Some(ours) if ours.gone.is_some() => Heard {
            conflict: Some(format!("“{title}” was cancelled here but changed on the server: it stays")),
            keep: Some(theirs(ours)),
            received: true,
            ..Heard::default()
        },
        Some(ours) if ours.event.same(event) => Heard { keep: Some(theirs(ours)), ..Heard::default() },
        Some(ours) => {
            let mut copy = ours.event.clone();
            copy.uid = uid_for(&format!("{} {}", event.uid, remote.etag));
            copy.about.title = format!("{} (copy)", copy.about.title);
            let conflict = format!(
                "“{title}” was changed here and on the server: the server's stays, yours is kept as “{}”",
                copy.about.title
            );
            Heard {
                keep: Some(theirs(ours)),
                copy: Some(Record::new(copy, now)),
                received: true,
                conflict: Some(conflict),
                ..Heard::default()
            }
        }
    }
}

/// What it means for an appointment that the server no longer has it.
fn missing(ours: Record, now: Timestamp) -> Heard {
    let title = ours.event.about.title.clone();
    match (ours.gone.is_some(), ours.unsent) {
        (true, _) => Heard { keep: Some(Record { remote: None, unsent: false, ..ours }), ..Heard::default() },
        (false, false) => {
            Heard { keep: Some(Record { remote: None, gone: Some(now), ..ours }), removed: true, ..Heard::default() }
        }
        (false, true) => Heard {
            keep: Some(Record { remote: None, ..ours }),
            conflict: Some(format!("“{title}” was changed here but cancelled on the server: it is kept")),
            ..Heard::default()
        },
    }
}

fn words(report: &Report) -> String {
    let Report { received, removed, sent, deleted, conflicts, problems } = report;
    let parts = [(*received, "received"), (*removed, "removed here"), (*sent, "sent"), (*deleted, "cancelled there")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).enumerate();
    let parts = parts.map(|(index, (count, what))| match index {
        0 => format!("{} {what}", say::counted(*count, "appointment")),
        _ => format!("{count} {what}"),
    });
    let parts: Vec<String> = parts.collect();
    let mut said = match parts.is_empty() {
        true => "Your calendar and the server agree; nothing had changed.".to_owned(),
        false => format!("Synchronised with the server: {}.", listed(&parts, "and")),
    };
    for line in conflicts.iter().take(NAMED).chain(problems.iter().take(NAMED)) {
        said += &format!("\n{}.", say::capital(line));
    }
    said
}
