//! MCP over pipes: one client, which started this process and speaks through its input and output.

use std::future::pending;
use std::io;

use rmcp::serve_server;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::desk::Line;
use super::door::Door;
use crate::app::App;
use crate::guard::Caller;

/// How much is read ahead.
const PIPE: usize = 64 * 1024;

/// Answers whoever speaks through a pair of pipes until they stop speaking. Nothing else may be written there. Whoever
/// started the process may do everything.
pub async fn serve_mcp(
    app: App,
    mut input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let closing = app.closing.clone();
    let caller = Caller::local(app.person.name.as_deref());
    let door = Door { line: Line::Local(Box::new((app, caller))) };
    let (read, mut write) = tokio::io::simplex(PIPE);
    let hearing = async {
        let heard = tokio::io::copy(&mut input, &mut write).await;
        // Whoever waits for a run is told how it stands. The run itself goes on, here or elsewhere.
        closing.cancel();
        let closed = write.shutdown().await;
        match heard.and(closed) {
            Ok(()) => pending().await,
            Err(error) => Err(error),
        }
    };
    let answering = async {
        let client = serve_server(door, (read, output)).await.map_err(io::Error::other)?;
        client.waiting().await.map(drop).map_err(io::Error::other)
    };
    tokio::select! {
        answered = answering => answered,
        broken = hearing => broken,
    }
}
