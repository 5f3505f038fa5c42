"""What the mis-fix checks are worth: broken engines on the user's own calls, and how many of
their wrong changes are convicted."""

from toolfix_audit.audit.power.measure import Attempt, attempts, measure_power
from toolfix_audit.audit.sample import PowerCall, Sample

__all__ = ["Attempt", "PowerCall", "Sample", "attempts", "measure_power"]
