//! Plans that are used again: [`lift`] takes what came from the request out of a plan, [`unify`] finds what two of them
//! have in common, [`fill`] makes the plan of another request, [`guards`] says whether it may be carried out, and
//! [`to_skill_md`] tells people about it.
//!
//! Nothing is guessed. Where a value could have come from several places all are kept until a further request tells them
//! apart, and until then they have to agree. A value that was not seen before is taken only once it is proven that the
//! place may change.

mod align;
mod export;
mod fill;
mod fit;
mod form;
mod guard;
mod judge;
mod leak;
mod lift;
mod meet;
mod place;
mod said;
mod unify;

pub use export::to_skill_md;
pub use fill::{Extracted, Filled, Unfilled, fill};
pub use guard::guards;
pub use lift::{NotLifted, lift};
pub use unify::unify;

#[cfg(test)]
mod tests;
