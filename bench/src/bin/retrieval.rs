//! `retrieval`: whether the tools a request needs are found without a model, and how fast.

fn main() {}
