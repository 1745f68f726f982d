"""The one part of the build that pyproject.toml cannot say: an optional C module."""

from glob import glob

from setuptools import Extension, setup

fast = Extension(
    "twinflow.base._fast", ["native/fast.c"], depends=glob("native/*.h"), optional=True
)
setup(ext_modules=[fast])
