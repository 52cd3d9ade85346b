//! Figures as Prometheus reads them: its text format, version 0.0.4.

use std::fmt::{Display, Write};

use super::figures::{BOUNDS, Durations};

/// What `Content-Type` says about it.
pub(super) const TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A page under way.
#[derive(Default)]
pub(super) struct Page(String);

/// The figures of one name.
pub(super) struct Figures<'p> {
    page: &'p mut Page,
    name: &'static str,
}

/// Names with values.
pub(super) type Labels<'l> = &'l [(&'static str, &'l str)];

impl Page {
    /// Figures that only grow. By convention their names end in `_total`.
    pub(super) fn counter(&mut self, name: &'static str, help: &str) -> Figures<'_> {
        self.begin(name, "counter", help)
    }

    /// Figures that go up and down.
    pub(super) fn gauge(&mut self, name: &'static str, help: &str) -> Figures<'_> {
        self.begin(name, "gauge", help)
    }

    /// How long things took, in seconds.
    pub(super) fn durations(&mut self, name: &'static str, help: &str) -> Figures<'_> {
        self.begin(name, "histogram", help)
    }

    pub(super) fn text(self) -> String {
        self.0
    }

    fn begin(&mut self, name: &'static str, kind: &str, help: &str) -> Figures<'_> {
        // Writing to a string always works.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        Figures { page: self, name }
    }

    fn line(&mut self, name: &str, more: &str, labels: Labels<'_>, value: impl Display) {
        let _ = write!(self.0, "{name}{more}");
        for (at, (label, value)) in labels.iter().enumerate() {
            let _ = write!(self.0, "{}{label}=\"{}\"", if at == 0 { '{' } else { ',' }, escaped(value));
        }
        let _ = writeln!(self.0, "{} {value}", if labels.is_empty() { "" } else { "}" });
    }
}

impl Figures<'_> {
    pub(super) fn is(self, value: impl Display) {
        self.page.line(self.name, "", &[], value);
    }

    pub(super) fn with(&mut self, labels: Labels<'_>, value: impl Display) -> &mut Self {
        self.page.line(self.name, "", labels, value);
        self
    }

    pub(super) fn took(&mut self, labels: Labels<'_>, durations: &Durations) -> &mut Self {
        let (buckets, all, seconds) = durations.get();
        for (bound, count) in BOUNDS.iter().zip(buckets) {
            self.page.line(self.name, "_bucket", &[labels, &[("le", &bound.to_string())]].concat(), count);
        }
        self.page.line(self.name, "_bucket", &[labels, &[("le", "+Inf")]].concat(), all);
        self.page.line(self.name, "_sum", labels, seconds);
        self.page.line(self.name, "_count", labels, all);
        self
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_labels_cannot_break_out() {
        let mut page = Page::default();
        page.gauge("a", "b").with(&[("x", "1"), ("l", "q\"\\\nx")], 2.5);
        page.counter("c_total", "d").is(3);
        assert_eq!(
            page.text(),
            "# HELP a b\n# TYPE a gauge\na{x=\"1\",l=\"q\\\"\\\\\\nx\"} 2.5\n# HELP c_total d\n# TYPE c_total counter\nc_total 3\n"
        );
    }
}
