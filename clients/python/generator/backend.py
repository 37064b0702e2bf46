"""A build backend: generate modules from the contract, then build the client with setuptools.

A source distribution contains the generated modules but no contract, so nothing is generated from it.
"""

from setuptools.build_meta import *  # noqa: F403

from generator import modules

if modules.CONTRACT.is_file():
    modules.write()
