//! `retrieval`: whether the tools a request needs are found without a model, and how fast.

use bench::retrieval::{self, Args};
use clap::Parser;
use serde_json::json;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let Some(sets) = retrieval::sets(&args.data)? else {
        anyhow::bail!("there is no data in {}; `retrieval` measured nothing", args.data.display());
    };
    let (union, crowd) = retrieval::cost(&args, &sets)?;
    println!("all registries: {union}");
    println!("agents that are nearly the same: {crowd}");
    println!("{:16} {:38} {:>8} {:>8}  R@1   R@5   R@10  comp. nDCG", "set", "how", "requests", "registry");
    let mut figures = json!({});
    for set in &sets {
        for line in retrieval::reach(&args, set) {
            let numbers: Vec<String> = line.figures.0.iter().map(|figure| format!("{figure:.3}")).collect();
            let numbers = numbers.join(" ");
            println!("{:16} {:38} {:>8} {:>8}  {numbers}", line.set, line.how, line.requests, line.registry);
            figures[line.set][line.how] = line.figures.0.map(retrieval::rounded).into();
        }
    }
    println!("{}", json!({"bench": "retrieval", "figures": figures, "tools": union, "agents": crowd}));
    Ok(())
}
