//! Counts and compares finished runs: what reported confidences turned out to be worth, and what to expect of the next run.
