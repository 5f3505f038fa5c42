"""The zero-mis-fix check: convicts changes that should not have been made, or lost or invented
information. It shares nothing with the engine, which is handed in and only run."""

from toolfix_audit.audit.misfix.change import Change, Context, Probe
from toolfix_audit.audit.misfix.check import check, check_name
from toolfix_audit.audit.misfix.licences import Licence, licences_of

__all__ = ["Change", "Context", "Licence", "Probe", "check", "check_name", "licences_of"]
