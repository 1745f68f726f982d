"""The one part of the build that pyproject.toml cannot say: an optional C module."""

from setuptools import Extension, setup

setup(ext_modules=[Extension("twinflow.base._fast", ["native/fast.c"], optional=True)])
