//! Records of the house on its shelf, read and written with their versions.

use domain::shelf::Shelf;
use domain::store::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::house::HouseError;

/// The version of a record; 0 for one that is not there yet.
pub(super) type Version = u64;

const SHELF: &str = "home";

/// A record and its version, or the default where there is none.
pub(super) async fn read<T: DeserializeOwned + Default>(
    shelf: &dyn Shelf,
    key: &str,
) -> Result<(T, Version), HouseError> {
    match shelf.kept(SHELF, key).await? {
        None => Ok((T::default(), 0)),
        Some(kept) => {
            let damaged = |error| StoreError::Damaged { detail: format!("the record `{SHELF}/{key}`: {error}") };
            Ok((serde_json::from_value(kept.value).map_err(damaged)?, kept.version))
        }
    }
}

/// Puts a record in the place of the version that was read. Says whether that was still there.
pub(super) async fn write<T: Serialize>(
    shelf: &dyn Shelf,
    key: &str,
    record: &T,
    replacing: Version,
) -> Result<bool, HouseError> {
    let damaged = |error| StoreError::Damaged { detail: format!("the record `{SHELF}/{key}`: {error}") };
    let value = serde_json::to_value(record).map_err(damaged)?;
    Ok(shelf.keep(SHELF, key, &value, replacing).await?)
}
