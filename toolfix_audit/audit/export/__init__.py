"""A corpus made small and shareable: one call of each kind, its values replaced, and the proof
that the audit says the same of it."""

from toolfix_audit.audit.export.minimal import Differing, Exported, export_minimal

__all__ = ["Differing", "Exported", "export_minimal"]
