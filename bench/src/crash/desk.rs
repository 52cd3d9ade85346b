//! The desk that runs of the crash harness work at: tools over HTTP as a file describes them, one for each way in which a
//! write can be repeated, and a plan that uses them all.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::request::Request;
use domain::store::Store;
use domain::tool::Repeat;
use runtime::{Runtime, Settings};
use serde_json::json;

use crate::compose;

/// Reads.
pub const LOOK: &str = "desk.look";
/// Writes; the receiver recognises repetitions.
pub const NOTE: &str = "desk.note";
/// Writes; must never be repeated.
pub const CHARGE: &str = "desk.charge";
/// Writes; the receiver can be asked.
pub const BOOK: &str = "desk.book";

/// How many writes a run that ends well has carried out.
pub const WRITES: usize = 6;

/// The tools as a user would describe them. How a charge may be repeated is for the caller to say, who may lie.
pub fn described(base: &str, charge: Repeat) -> anyhow::Result<String> {
    let charge = format!("effect = \"write\"\nrepeat = {}", serde_json::to_string(&charge)?);
    let tool = |name: &str, declaration: &str, path: &str, rest: &str| {
        format!(
            "[[tool]]\nname = \"{name}\"\ndescription = \"Works at the desk.\"\n{declaration}\ntimeout = \"20s\"\n\
             [tool.parameters.what]\ntype = \"string\"\n\
             [tool.http]\nmethod = \"POST\"\nurl = \"{base}/{path}\"\nheaders = {{ x-key = \"{{key}}\" }}\n\
             body = {{ what = \"{{what}}\" }}\n{rest}\n"
        )
    };
    let back = format!("[tool.read_back]\nurl = \"{base}/book/{{key}}\"\nheaders = {{ x-key = \"{{key}}\" }}");
    let all = [
        tool(LOOK, "effect = \"read\"", "look", ""),
        tool(NOTE, "effect = \"write\"\nrepeat = \"same_key\"", "note", ""),
        tool(CHARGE, &charge, "charge", ""),
        tool(BOOK, "effect = \"write\"\nrepeat = \"read_back\"", "book", &back),
    ];
    Ok(all.join("\n"))
}

/// The same for the process that is killed and for the one that looks afterwards.
pub async fn runtime(folder: &Path, base: &str, at_once: usize) -> anyhow::Result<Runtime> {
    let store: Arc<dyn Store> = compose::ledger(folder).await?;
    let tools = tools::load(&folder.join("desk.toml"), &tools::client()?, &|_| None)?;
    let model = compose::model(&format!("{base}/model/v1"), at_once)?;
    let settings = Settings { tool_timeout: Duration::from_secs(20), ..Settings::default() };
    compose::runtime(store, Some(model), tools, settings)
}

/// A job with a mark by which the model's receiver can tell it from others: reads side by side, writes of each kind, an
/// agent with three turns, and writes at the end.
pub fn job(mark: &str) -> Request {
    let plan = json!({
        "goal": mark,
        "steps": [
            {"id": "left", "tool": LOOK, "arguments": {"what": "left"}},
            {"id": "right", "tool": LOOK, "arguments": {"what": "right"}},
            {"id": "note", "tool": NOTE, "arguments": {"what": "${left.text}"}},
            {"id": "charge", "tool": CHARGE, "arguments": {"what": "${right.text}"}},
            {"id": "book", "tool": BOOK, "arguments": {"what": "${left.text} and ${right.text}"}},
            {"id": "talk", "goal": format!("Work at the desk for {mark}."), "depends_on": ["note"],
             "prompt": "You work at a desk.", "tools": [LOOK, NOTE, BOOK]},
        ],
        "answer": "${talk}",
        "intents": [{"tool": NOTE, "arguments": {"what": "the end of ${left.text}"}}],
    });
    compose::request(&format!("Do {mark}."), plan)
}
