"""`python -m generator`: writes the modules that follow from the contract."""

from generator.modules import write

write()
