"""What libraries around TensorFlow had in 2018 is there while the door is open."""

import subprocess
import sys

import pytest
from google.protobuf import descriptor_pb2

PROGRAMS = {
    "PIL": """
from PIL import Image, ImageDraw, ImageFont
im = Image.new("L", (40, 20))
assert im.resize((20, 10), Image.ANTIALIAS).size == (20, 10)
font = ImageFont.load_default()
w, h = font.getsize("word")
assert w > 5 and h > 3
assert ImageDraw.Draw(im).textsize("word", font)[0] >= w - 1
assert im.tostring() == im.tobytes()
""",
    "h5py": """
import h5py, tempfile
with tempfile.TemporaryDirectory() as folder:
    with h5py.File(folder + "/x.h5") as f:
        f.attrs["config"] = b'{"a": 1}'
        f.attrs["name"] = "word"
        f.attrs["names"] = [b"a", b"bc"]
        f["x"] = [1.0, 2.0]
    with h5py.File(folder + "/x.h5", "r") as f:
        assert f.attrs["config"].decode("utf-8") == '{"a": 1}'
        assert f.attrs["name"] == "word" and f.attrs.get("none") is None
        assert [n.decode("utf8") for n in f.attrs["names"]] == ["a", "bc"]
        assert f["x"].value.tolist() == [1.0, 2.0]
""",
    "yaml": """
import yaml
assert yaml.load("a: [1, 2]") == {"a": [1, 2]}
assert yaml.load("a: 1", Loader=yaml.FullLoader) == {"a": 1}
try:
    yaml.load("!!python/object/apply:os.getcwd []")
except yaml.YAMLError:
    pass
else:
    raise AssertionError
""",
    "scipy": """
import scipy, scipy.integrate, scipy.signal, scipy.stats
assert scipy.interp(0.5, [0, 1], [0, 2]) == 1 and scipy.zeros(2).shape == (2,)
assert scipy.integrate.simps([1, 1, 1]) == 2 and scipy.integrate.trapz([1, 1]) == 1
assert scipy.signal.gaussian(5, 1.0)[2] == 1
assert scipy.stats.frechet_r.cdf(0, 2) == 0 and scipy.stats.frechet_l.cdf(0, 2) == 1
""",
    "matplotlib": """
import matplotlib
matplotlib.use("Agg", warn=False)
import matplotlib.pyplot as plt
from matplotlib import cm, mlab
import mpl_toolkits.mplot3d
assert abs(mlab.normpdf(0.0, 0.0, 1.0) - 0.398942) < 1e-6
axis = plt.figure().gca(projection="3d")
assert axis.name == "3d"
fig = plt.figure()
plt.hold(True)
plt.xlim(xmin=1, xmax=3)
assert plt.xlim() == (1, 3) and fig.gca() is plt.gca()
plt.gca().set_axis_bgcolor("red")
assert cm.get_cmap("Blues", 4).N == 4 and cm.spectral.name == "nipy_spectral"
""",
    "pandas": """
import pandas as pd
d = pd.DataFrame({"a": [1, 2], "b": [3.0, 4.0]}, index=["x", "y"])
assert d.as_matrix(["b"]).tolist() == [[3], [4]] and d["a"].as_matrix().sum() == 3
assert d.ix["x", "a"] == 1 and d.ix[0, "b"] == 3 and d.ix[1].tolist() == [2, 4]
assert d.ix[0:1, ["b"]].values.tolist() == [[3]]
assert len(d.append({"a": 5, "b": 6}, ignore_index=True)) == 3
assert len(d.append([d, d])) == 6 and d.get_value("y", "b") == 4
""",
    "sklearn": """
from sklearn.cross_validation import KFold, StratifiedKFold, train_test_split
from sklearn.externals import joblib
from sklearn.grid_search import GridSearchCV
from sklearn.preprocessing import Imputer
import numpy as np
assert [len(test) for train, test in KFold(6, n_folds=3)] == [2, 2, 2]
assert len(StratifiedKFold([0, 0, 1, 1], n_folds=2)) == 2 and joblib.dump
filled = Imputer(missing_values="NaN").fit_transform([[1.0], [np.nan], [3.0]])
assert filled.ravel().tolist() == [1, 2, 3]
""",
}
CLOSED = """
{first}
import twinflow.compat.tensorflow
from twinflow.compat.door import finder
import h5py, PIL.Image
assert PIL.Image.ANTIALIAS
finder.close_door()
assert not hasattr(PIL.Image, "ANTIALIAS") and not hasattr(h5py.Dataset, "value")
assert type(h5py.__spec__.loader).__module__ != "twinflow.compat.old_libraries.changing"
"""


def ended(program):
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("loaded", [False, True])
def test_what_libraries_had(name, loaded):
    pytest.importorskip(name)
    first = f"import {name}" if loaded else ""
    ended(f"{first}\nimport twinflow.compat.tensorflow\n{PROGRAMS[name]}")


GENERATED = """
from __future__ import absolute_import
import sys
_b = sys.version_info[0] < 3 and (lambda x: x) or (lambda x: x.encode('latin1'))
from google.protobuf import descriptor as _descriptor
from google.protobuf import reflection as _reflection
DESCRIPTOR = _descriptor.FileDescriptor(
  name='old_words.proto', package='old', serialized_pb=_b({data!r}))
_WORD = _descriptor.Descriptor(
  fields=[_descriptor.FieldDescriptor(name='text', number=1)])
_WORD.fields_by_name['next'].message_type = _WORD
"""


@pytest.mark.parametrize("dtype", ["str", "bytes"])
def test_messages_that_an_old_protoc_generated(tmp_path, dtype):
    file = descriptor_pb2.FileDescriptorProto(name="old_words.proto", package="old")
    word = file.message_type.add(name="Word")
    word.field.add(name="text", number=1, type=9, label=1)
    word.field.add(name="next", number=2, type=11, label=1, type_name=".old.Word")
    word.enum_type.add(name="Kind").value.add(name="NOUN", number=0)
    data = file.SerializeToString()
    text = GENERATED.format(data=data.decode("latin1"))
    if dtype == "bytes":
        text = text.replace("_b('", "(b'")
    (tmp_path / "old_words_pb2.py").write_text(text)
    ended(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import twinflow.compat.tensorflow\n"
        "from old_words_pb2 import Word\n"
        "w = Word(text='a', next=Word(text='b'))\n"
        "assert Word.FromString(w.SerializeToString()).next.text == 'b'\n"
        "assert Word.NOUN == 0 and Word.__module__ == 'old_words_pb2'\n"
    )


@pytest.mark.parametrize("first", ["", "import h5py, PIL.Image"])
def test_a_closed_door_leaves_them_as_they_were(first):
    ended(CLOSED.format(first=first))
