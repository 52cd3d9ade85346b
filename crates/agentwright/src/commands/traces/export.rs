//! `agentwright traces export`: one file a trace, in the layout that is read again.

use std::path::Path;

use domain::store::Store;
use domain::trace::{Trace, TraceFilter};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::super::Here;
use crate::exit::{Exit, Refusal};
use crate::print::{self, text::count};

/// How many traces are looked up at once.
const PAGE: usize = 500;

pub(super) async fn export(here: &Here, store: &dyn Store, filter: &TraceFilter, to: &Path) -> anyhow::Result<Exit> {
    let unwritable = |error: std::io::Error| {
        Refusal::failed(format!("`{}` cannot be written to", to.display()))
            .because(error)
            .hint("name another folder with `--to`")
    };
    std::fs::create_dir_all(to).map_err(unwritable)?;
    let bar = here.bars.add(ProgressBar::new(store.count_traces(filter).await?));
    bar.set_style(ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} traces")?);
    let (mut cursor, mut exported) = (None, 0);
    loop {
        let (listed, next) = store.traces(filter, cursor.as_ref(), PAGE).await?;
        for summary in &listed {
            // What was deleted meanwhile is not there to be written.
            let Some(trace) = store.trace(&summary.id).await? else { continue };
            std::fs::write(to.join(file_name(&trace)), print::json(&trace)).map_err(unwritable)?;
            exported += 1;
            bar.inc(1);
        }
        match next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    bar.finish_and_clear();
    let json = json!({ "exported": exported, "to": to });
    here.screen.show(&json, |_| format!("{} written to `{}`\n", count(exported, "trace"), to.display()))?;
    Ok(Exit::Done)
}

/// `{agent}_{problem}_{YYYYMMDD_HHMMSS}_{trace}.json`, short enough and in characters that every file system takes.
fn file_name(trace: &Trace) -> String {
    const LONGEST: usize = 40;
    let safe = |text: &str| -> String {
        let kept = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
        text.chars().take(LONGEST).map(kept).collect()
    };
    let at = trace.started_at.strftime("%Y%m%d_%H%M%S");
    // No id has a `~`, so that two ids never become one name.
    let id = trace.id.as_str().replace(':', "~");
    format!("{}_{}_{at}_{id}.json", safe(trace.agent.as_str()), safe(trace.problem.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_is_called_after_who_did_what_when() {
        let trace = |agent: &str, id: &str| -> Trace {
            let trace = json!({"id": id, "source": "own", "agent": agent, "problem": "calendar", "steps": [],
                "started_at": "2026-03-04T05:06:07Z"});
            serde_json::from_value(trace).expect("a trace")
        };
        assert_eq!(file_name(&trace("planner", "t_1")), "planner_calendar_20260304_050607_t_1.json");
        assert_eq!(file_name(&trace("../a/b_c", "x:1")), "---a-b-c_calendar_20260304_050607_x~1.json");
    }
}
