"""Models that torch.onnx writes give here what they give in torch."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
nn = torch.nn
pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore"),  # torch speaks of its tracers and exporters
]


class _Outputs(nn.Module):
    """A recurrent layer without its last states."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)[0]


class _Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(10, 8)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
        self.last = nn.Linear(8, 3)

    def forward(self, x):
        return self.last(self.encoder(self.words(x)).mean(1))


def _images():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, groups=8), nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(8, 5),
    )  # fmt: skip


def _upscaling():
    return nn.Sequential(
        nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1), nn.GELU(),
        nn.Upsample(scale_factor=2),
    )  # fmt: skip


MODELS = {
    "lstm": (lambda: _Outputs(nn.LSTM(3, 4, batch_first=True)), (2, 6, 3)),
    "two_ways": (
        lambda: _Outputs(nn.LSTM(3, 4, bidirectional=True, num_layers=2)), (6, 2, 3)
    ),
    "gru": (lambda: _Outputs(nn.GRU(3, 4, batch_first=True)), (2, 6, 3)),
    "rnn": (lambda: _Outputs(nn.RNN(3, 4)), (6, 2, 3)),
    "images": (_images, (2, 3, 16, 16)),
    "upscaling": (_upscaling, (2, 3, 5, 5)),
    "transformer": (_Transformer, None),
}  # fmt: skip


@pytest.mark.parametrize("exporter", ["script", "dynamo"])
@pytest.mark.parametrize("name", MODELS)
def test_models(tmp_path, name, exporter):
    if exporter == "dynamo":
        pytest.importorskip("onnxscript")
    make, shape = MODELS[name]
    torch.manual_seed(0)
    model = make().eval()
    x = torch.randint(0, 10, (2, 5)) if shape is None else torch.randn(*shape)
    path = str(tmp_path / "model.onnx")
    new = exporter == "dynamo"
    version = {} if new else {"opset_version": 18}
    torch.onnx.export(model, (x,), path, dynamo=new, verbose=False, **version)
    with eager():
        found = tf.onnx.load(path)(x.numpy())
    np.testing.assert_allclose(found, model(x).detach(), rtol=1e-4, atol=1e-5)
