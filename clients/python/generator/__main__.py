"""`python -m generator [CONTRACT]`: generate modules from a contract, by default the repository's openapi.yaml."""

import sys
from pathlib import Path

from generator.modules import CONTRACT, write

write(Path(sys.argv[1]) if len(sys.argv) > 1 else CONTRACT)
