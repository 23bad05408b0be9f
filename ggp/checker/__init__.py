"""Certificates checked anew by plain encodings: only grounding is shared with the proofs."""

from ggp.checker.certificate import FORMAT, MAX_CHARACTERS, Certificate, read_certificate
from ggp.checker.check import MAX_MATCHES, Checked, check_certificate

__all__ = [
    "FORMAT",
    "MAX_CHARACTERS",
    "MAX_MATCHES",
    "Certificate",
    "Checked",
    "check_certificate",
    "read_certificate",
]
