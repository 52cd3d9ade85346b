//! What the kernel says about this process.

/// Memory and time of this process, where the kernel tells.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Process {
    pub(super) resident_bytes: Option<u64>,
    pub(super) cpu_seconds: Option<f64>,
    pub(super) threads: Option<u64>,
    pub(super) open_files: Option<u64>,
}

/// How many clock ticks the kernel counts in a second, on every machine there is.
const TICKS: f64 = 100.0;

pub(super) fn process() -> Process {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let open_files = std::fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as u64);
    Process { open_files, ..read(&status, &stat) }
}

fn read(status: &str, stat: &str) -> Process {
    let line =
        |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok());
    // The name in parentheses may contain anything: count from its end.
    let fields: Vec<&str> =
        stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().collect()).unwrap_or_default();
    let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Process {
        resident_bytes: line("VmRSS:").map(|kilobytes: u64| kilobytes * 1024),
        cpu_seconds: ticks(11).zip(ticks(12)).map(|(user, system)| (user + system) as f64 / TICKS),
        threads: line("Threads:"),
        open_files: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_writes_is_read() {
        let status = "Name:\ta\nVmRSS:\t   2048 kB\nThreads:\t7\n";
        let stat = "1 (a ) b) S 0 1 1 0 -1 0 0 0 0 0 150 50 0 0 20 0 7 0 9";
        let seen = read(status, stat);
        assert_eq!((seen.resident_bytes, seen.cpu_seconds, seen.threads), (Some(2_097_152), Some(2.0), Some(7)));
        assert_eq!(read("", ""), Process::default());
    }
}
