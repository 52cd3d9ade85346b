//! From a pattern as it is written to what it is made of.

use super::Node;

/// What a pattern is made of, or what is wrong with it.
pub(super) fn read(source: &str) -> Result<Vec<Node>, &'static str> {
    let mut rest = source.char_indices().peekable();
    let (ways, end) = Reader { source, rest: &mut rest }.ways()?;
    if end.is_some() {
        return Err("a bracket is closed that was not opened");
    }
    let nodes = match <[Vec<Node>; 1]>::try_from(ways) {
        Ok([only]) => only,
        Err(ways) => vec![Node::OneOf(ways)],
    };
    if nodes.is_empty() { Err("it is empty") } else { Ok(nodes) }
}

struct Reader<'s, 'r> {
    source: &'s str,
    rest: &'r mut std::iter::Peekable<std::str::CharIndices<'s>>,
}

impl Reader<'_, '_> {
    /// Alternatives up to a closing bracket or the end, and which of these it was.
    fn ways(&mut self) -> Result<(Vec<Vec<Node>>, Option<char>), &'static str> {
        let mut ways = vec![Vec::new()];
        while let Some((at, c)) = self.rest.next() {
            let node = match c {
                ')' | ']' => return Ok((ways, Some(c))),
                '|' => {
                    ways.push(Vec::new());
                    continue;
                }
                '(' => match self.ways()? {
                    (within, Some(')')) => Node::OneOf(within),
                    _ => return Err("`(` is not closed"),
                },
                '[' => match self.ways()? {
                    (within, Some(']')) if within.len() == 1 => Node::Maybe(within.into_iter().flatten().collect()),
                    (within, Some(']')) => Node::Maybe(vec![Node::OneOf(within)]),
                    _ => return Err("`[` is not closed"),
                },
                '{' => {
                    let end = self.source[at..].find('}').ok_or("`{` is not closed")?;
                    let name = &self.source[at + 1..at + end];
                    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                        return Err("a gap needs a name of letters");
                    }
                    while self.rest.next_if(|(next, _)| *next <= at + end).is_some() {}
                    Node::Gap(name.to_owned())
                }
                c if c.is_whitespace() => continue,
                _ => {
                    let mut end = at + c.len_utf8();
                    while let Some((next, c)) =
                        self.rest.next_if(|(_, c)| !c.is_whitespace() && !"()[]{}|".contains(*c))
                    {
                        end = next + c.len_utf8();
                    }
                    Node::Word(self.source[at..end].to_lowercase())
                }
            };
            if let Some(way) = ways.last_mut() {
                way.push(node);
            }
        }
        Ok((ways, None))
    }
}
