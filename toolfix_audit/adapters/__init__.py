"""Ready engines and judges for other processes, chosen by name; nothing imports them.

Each speaks lines of JSON on its standard streams, as docs/proof.md describes.
"""
