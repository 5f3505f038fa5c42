"""Script that writes the study corpus anew: `python corpora/study/generate.py --seed N`.

Everything it does is in the package `study_generator`, beside it; neither imports toolfix_audit.
"""

from study_generator.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
