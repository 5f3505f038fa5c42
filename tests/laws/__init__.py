"""Laws of the engine, on random schemas and values, and its bounds on hostile input.

`TOOLFIX_LAWS` says how many examples a law tries (200 unless set).
"""
