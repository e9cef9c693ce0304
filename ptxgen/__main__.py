"""`python -m ptxgen` is the command line."""

import sys

from ptxgen.cli import main

sys.exit(main())
