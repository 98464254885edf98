"""Run the command line as `python -m tilth`."""

import sys

from tilth.interfaces.cli import main

if __name__ == "__main__":
    sys.exit(main())
