"""`python -m failure_matrix` is the command `failure-matrix`."""

from __future__ import annotations

import sys

from failure_matrix.cli import main

if __name__ == "__main__":
    sys.exit(main())
