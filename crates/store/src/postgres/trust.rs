//! Whom a connection is made to: which authorities are believed, and what is checked of a certificate.
//!
//! A certificate that stands among the authorities itself is believed as it is: many servers have one that they signed
//! themselves, and its file is what their operator has at hand.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use crate::StoreError;

/// What is checked of a server's certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Nothing.
    Nothing,
    /// That an authority signed it.
    Authority,
    /// That, and the name in it.
    Name,
}

/// Which authorities are believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Roots {
    /// Those of the system.
    System,
    /// Those in this file.
    File(PathBuf),
}

/// What makes encrypted streams.
pub(super) fn client(check: Check, roots: Roots) -> Result<ClientConfig, StoreError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let algorithms = provider.signature_verification_algorithms;
    let own = match check {
        Check::Nothing => Vec::new(),
        Check::Authority | Check::Name => certificates(&roots)?,
    };
    let mut store = RootCertStore::empty();
    let (known, _passed_over) = store.add_parsable_certificates(own.iter().cloned());
    if known == 0 && check != Check::Nothing {
        return Err(unusable(&roots, "there is no certificate in it"));
    }
    let judge = Judge {
        check,
        roots: store,
        own,
        algorithms,
    };
    let built = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let built = built.map_err(|error| unusable(&roots, &error.to_string()))?;
    let built = built
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(judge));
    Ok(built.with_no_client_auth())
}

fn certificates(roots: &Roots) -> Result<Vec<CertificateDer<'static>>, StoreError> {
    match roots {
        Roots::System => Ok(rustls_native_certs::load_native_certs().certs),
        Roots::File(path) => {
            let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
            read.map_err(|error| unusable(roots, &error.to_string()))
        }
    }
}

fn unusable(roots: &Roots, why: &str) -> StoreError {
    let place = match roots {
        Roots::System => "the system's list of authorities".to_owned(),
        Roots::File(path) => format!("`sslrootcert`, {},", path.display()),
    };
    StoreError::Unavailable(format!(
        "{place} cannot be used: {why}; name a file with the certificate of the server's authority, in PEM"
    ))
}

/// What is wrong with a server's answer, and what to do about it.
pub(super) fn words(error: &Error) -> String {
    let advice = if let Error::InvalidCertificate(wrong) = error {
        advice(wrong)
    } else {
        "it does not encrypt in a way that is understood here; look at its version and its `ssl_…` settings"
    };
    format!("{advice} ({error})")
}

/// What to do about a certificate.
fn advice(wrong: &CertificateError) -> &'static str {
    use CertificateError::{Expired, ExpiredContext, NotValidForName, NotValidForNameContext};
    if matches!(wrong, NotValidForName | NotValidForNameContext { .. }) {
        "its certificate is for another name; use that name in the address, or `sslmode=verify-ca`"
    } else if matches!(wrong, Expired | ExpiredContext { .. }) {
        "its certificate has expired; give the server a new one"
    } else {
        "its certificate is from nobody who is believed here; name the certificate of its authority with \
         `sslrootcert=FILE`"
    }
}

/// Judges certificates.
#[derive(Debug)]
struct Judge {
    check: Check,
    roots: RootCertStore,
    own: Vec<CertificateDer<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Judge {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _stapled: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.check != Check::Nothing {
            let read = ParsedCertificate::try_from(server)?;
            if !self.own.contains(server) {
                let all = self.algorithms.all;
                verify_server_cert_signed_by_trust_anchor(&read, &self.roots, between, now, all)?;
            }
            if self.check == Check::Name {
                verify_server_name(&read, name)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        server: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, server, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        server: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, server, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
