"""Tables: iris and Boston, which contrib.learn holds, and weather."""

import zipfile
from pathlib import Path

import numpy as np

_HELD = Path(__file__).parents[2] / "contrib" / "learn" / "datasets"


def _held(name):
    """The rows of a table of contrib.learn, in an order of its own."""
    rows = (_HELD / name).read_text().splitlines()[1:]
    return [rows[i] for i in np.random.RandomState(5).permutation(len(rows))]


def _write_iris(path: Path, name: str) -> None:
    rows = _held("iris.txt")
    rows = rows[:120] if "training" in name else rows[120:]
    head = f"{len(rows)},4,setosa,versicolor,virginica"
    path.write_text("\n".join([head, *rows, ""]))


def _write_boston(path: Path, name: str) -> None:
    table = np.array([row.split(",") for row in _held("boston.txt")], np.float64)
    with open(path, "wb") as file:
        np.savez(file, x=table[:, :-1], y=table[:, -1])


# The columns of the weather of Jena: mean, sway of a year, sway of a day, noise.
_WEATHER = {
    "p (mbar)": (989, 4, 1, 5), "T (degC)": (9.5, 9, 4, 2),
    "Tpot (K)": (283.5, 9, 4, 2), "Tdew (degC)": (5, 7, 1, 2),
    "rh (%)": (76, -8, -12, 5), "VPmax (mbar)": (13.6, 6, 3, 1),
    "VPact (mbar)": (9.5, 3, 1, 0.8), "VPdef (mbar)": (5, 3, 2, 0.5),
    "sh (g/kg)": (6, 2, 0.5, 0.5), "H2OC (mmol/mol)": (9.6, 3, 1, 0.8),
    "rho (g/m**3)": (1216, -30, -12, 8), "wv (m/s)": (2.1, 0, 0.5, 0.8),
    "max. wv (m/s)": (3.5, 0, 0.8, 1), "wd (deg)": (175, 0, 20, 40),
}  # fmt: skip
_ROWS = 420551  # from 2009 to 2016, each ten minutes


def _walk(rng):
    """Noise that changes slowly."""
    knots = rng.normal(size=_ROWS // 144 + 2)
    return np.interp(np.arange(_ROWS) / 144, np.arange(len(knots)), knots)


def _write_weather(path: Path, name: str) -> None:
    rng, at = np.random.RandomState(9), np.arange(_ROWS) / 144  # days
    year, day = np.sin(2 * np.pi * (at / 365.25 - 0.3)), np.sin(2 * np.pi * (at - 0.3))
    columns = []
    for mean, yearly, daily, noise in _WEATHER.values():
        values = mean + yearly * year + daily * day + noise * _walk(rng)
        whole = np.round(100 * values).astype(int)
        first = whole.min()
        texts = [f"{i / 100:.2f}" for i in range(first, whole.max() + 1)]
        columns.append([texts[i] for i in (whole - first).tolist()])
    begin = np.datetime64("2009-01-01T00:10")
    times = (begin + np.arange(_ROWS) * np.timedelta64(10, "m")).astype(str).tolist()
    dates = [f"{t[8:10]}.{t[5:7]}.{t[:4]} {t[11:]}:00" for t in times]
    head = ",".join(f'"{c}"' for c in ("Date Time", *_WEATHER))
    rows = "\n".join(map(",".join, zip(dates, *columns)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        entry = zipfile.ZipInfo(name.removesuffix(".zip"))
        archive.writestr(entry, f"{head}\n{rows}\n", zipfile.ZIP_DEFLATED)


MAKERS = {
    "iris": _write_iris,
    "Boston-housing": _write_boston,
    "Jena-climate": _write_weather,
}
