"""Certificates checked anew by plain encodings: only grounding is shared with the proofs."""

from ggp.checker.certificate import MAX_CHARACTERS, Certificate, read_certificate
from ggp.checker.check import Checked, check_certificate

__all__ = ["MAX_CHARACTERS", "Certificate", "Checked", "check_certificate", "read_certificate"]
