"""`python -m ptxgen` is the command line."""

from ptxgen.cli import start

start()
