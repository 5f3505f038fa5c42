"""Validators behind the judge protocol: the only code that decides what is legal."""
