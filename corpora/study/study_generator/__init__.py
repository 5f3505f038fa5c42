"""Generator of the synthetic study corpus.

It plans sessions, writes intended calls that validate, damages a copy of some, and lays both down
as rows of a dsh session log, with the truth beside them. It shares no code with the audit, so the
audit can't agree with it by construction.
"""
