//! `agentwright mcp serve`: whoever started us speaks MCP through our input and output, and runs are carried on meanwhile.

use std::io::IsTerminal;
use std::sync::Arc;

use domain::dispatch::Dispatch;
use server::App;
use tokio_util::sync::CancellationToken;

use super::super::Here;
use super::super::serve::{Signals, limits, person};
use crate::exit::{Exit, Refusal};

pub(super) async fn serve(here: &Here) -> anyhow::Result<Exit> {
    if std::io::stdin().is_terminal() {
        let hint = "put it into the configuration of the program that is to use it: see docs/mcp.md";
        return Err(Refusal::usage("`agentwright mcp serve` speaks to programs, not to people").hint(hint).into());
    }
    let parts = here.parts().await?;
    let mut signals = Signals::new()?;
    let app =
        App::new(Arc::clone(&parts.runtime), Arc::clone(&parts.dispatch) as _, person(&here.loaded), limits(here));
    let (closing, served) = (app.closing.clone(), CancellationToken::new());
    let serving = async {
        let ended = server::serve_mcp(app, tokio::io::stdin(), tokio::io::stdout()).await;
        // Runs are let go once nobody asks for them any more; whoever comes next takes them up.
        served.cancel();
        ended
    };
    let working = parts.dispatch.work(parts.advance(), Box::pin(served.cancelled()));
    let going = async { tokio::try_join!(async { Ok(serving.await?) }, async { Ok(working.await?) }) };
    tokio::select! {
        ended = going => ended.map(|_| Exit::Done),
        () = parts.keep_in_step() => Ok(Exit::Done),
        () = signals.next() => {
            closing.cancel();
            Ok(Exit::Done)
        }
    }
}
