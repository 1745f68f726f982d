"""What pyproject.toml cannot say: an optional C module, and how `pip install -e` works.

Type checkers and editors follow a path, not the import hook that is setuptools' default
for an editable installation: hence the mode "compat".
"""

import os
import zlib
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command import editable_wheel

sources = b"".join(Path(name).read_bytes() for name in sorted(glob("native/*.[ch]")))

fast = Extension(
    "twinflow.base._fast",
    sorted(glob("native/*.c")),
    depends=glob("native/*.h"),
    extra_compile_args=[] if os.name == "nt" else ["-O3", "-fvisibility=hidden"],
    define_macros=[("SOURCES", str(zlib.crc32(sources) >> 1))],  # see base/native.py
    optional=True,
)


class EditableWheel(editable_wheel.editable_wheel):
    """An editable installation that type checkers find."""

    def initialize_options(self):
        super().initialize_options()
        self.mode = "compat"


setup(ext_modules=[fast], cmdclass={"editable_wheel": EditableWheel})
