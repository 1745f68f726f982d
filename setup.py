"""What pyproject.toml cannot say: an optional C module, and how `pip install -e` works.

Where there is a C compiler the wheel is one of this platform, with the module; where
there is none, or TWINFLOW_BUILD=pure is set, it is one for every platform.

Type checkers and editors follow a path, not the import hook that is setuptools' default
for an editable installation: hence the mode "compat".
"""

import os
import tempfile
import zlib
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command import editable_wheel

# isort: split
from distutils import ccompiler, errors, sysconfig  # setuptools has these from 3.12 on

BUILD = os.environ.get("TWINFLOW_BUILD", "auto")  # auto, native or pure

sources = b"".join(Path(name).read_bytes() for name in sorted(glob("native/*.[ch]")))

fast = Extension(
    "twinflow.base._fast",
    sorted(glob("native/*.c")),
    depends=glob("native/*.h"),
    extra_compile_args=[] if os.name == "nt" else ["-O3", "-fvisibility=hidden"],
    define_macros=[("SOURCES", str(zlib.crc32(sources) >> 1))],  # see base/native.py
    optional=BUILD != "native",
)


class EditableWheel(editable_wheel.editable_wheel):
    """An editable installation that type checkers find."""

    def initialize_options(self):
        super().initialize_options()
        self.mode = "compat"


def can_compile():
    """Whether a C compiler and Python's headers are there."""
    compiler = ccompiler.new_compiler()
    sysconfig.customize_compiler(compiler)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "a.c")
        program.write_text("#include <Python.h>\nint main(void) { return 0; }\n")
        try:
            include = [sysconfig.get_python_inc()]
            compiler.compile([str(program)], output_dir=folder, include_dirs=include)
        except (errors.CompileError, errors.DistutilsExecError):
            return False
    return True


if BUILD not in ("auto", "native", "pure"):
    raise SystemExit(f"TWINFLOW_BUILD={BUILD!r}: expected auto, native or pure.")
with_module = BUILD == "native" or (BUILD == "auto" and can_compile())
setup(
    ext_modules=[fast] if with_module else [],
    cmdclass={"editable_wheel": EditableWheel},
)
