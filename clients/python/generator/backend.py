"""setuptools, which builds the client once the modules that follow from the contract are written.

A source distribution has these modules and not the contract: nothing is written there.
"""

from setuptools.build_meta import *  # noqa: F403

from generator import modules

if modules.CONTRACT.is_file():
    modules.write()
