//! What TLS is spoken with: a certificate and its key, as PEM files hold them.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Why TLS cannot be spoken.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// Name a PEM file with a certificate, and those that vouch for it after it.
    #[error("there is no certificate in PEM in it")]
    NoCertificate(#[source] Option<rustls::pki_types::pem::Error>),
    /// Name a PEM file with a private key that is not encrypted.
    #[error("there is no private key in PEM in it")]
    NoKey(#[source] rustls::pki_types::pem::Error),
    /// Name the key that belongs to the certificate.
    #[error("the certificate and the key do not go together")]
    Mismatch(#[source] rustls::Error),
}

/// Understands a certificate with its chain, and its key.
pub fn tls(certificate: &[u8], key: &[u8]) -> Result<Arc<ServerConfig>, TlsError> {
    let chain: Result<Vec<CertificateDer<'static>>, _> = CertificateDer::pem_slice_iter(certificate).collect();
    let chain = chain.map_err(|error| TlsError::NoCertificate(Some(error)))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(None));
    }
    let key = PrivateKeyDer::from_pem_slice(key).map_err(TlsError::NoKey)?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Mismatch)?
        .with_no_client_auth();
    let mut config = config.with_single_cert(chain, key).map_err(TlsError::Mismatch)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
