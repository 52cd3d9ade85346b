//! The program `agentwright`.

fn main() -> std::process::ExitCode {
    agentwright::main()
}
