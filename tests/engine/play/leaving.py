"""A package that ends the process which imports it."""

import sys

sys.exit(3)
