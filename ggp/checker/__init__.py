"""Certificates checked anew by plain encodings: only grounding is shared with the proofs."""

from ggp.checker.certificate import Certificate, read_certificate
from ggp.checker.check import Checked, check_certificate
from ggp.checker.shape import FORMAT, MAX_CHARACTERS, MAX_MATCHES, schema

__all__ = [
    "FORMAT",
    "MAX_CHARACTERS",
    "MAX_MATCHES",
    "Certificate",
    "Checked",
    "check_certificate",
    "read_certificate",
    "schema",
]
