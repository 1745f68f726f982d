"""Writes csv_records.json: what TensorFlow 1.12's CsvDataset makes of random texts.

python3.6 make_csv_records.py csv_records.json
"""

import json
import os
import random
import sys
import tempfile

import tensorflow as tf

tf.enable_eager_execution()
PARTS = ["a", "1", "22", ",", ",", ",", '"', '"', "\n", "\n", "\r", " ", '""', "x,y\n",
         "3,4\n", '"q"']  # fmt: skip
DEFAULTS = {"ss": [tf.string] * 2, "dd": [[""], ["d"]], "id": [tf.int32, [5]],
            "e": [[""]], "sss": [tf.string] * 3}  # fmt: skip


def options(draw, count):
    found = {}
    if draw.random() < 0.3:
        found["header"] = True
    if draw.random() < 0.2:
        found["use_quote_delim"] = False
    if draw.random() < 0.3:
        found["select_cols"] = sorted(draw.sample(range(4), count))
    if draw.random() < 0.2:
        found["na_value"] = "a"
    return found


def plain(x):
    value = x.numpy()
    return value.decode() if isinstance(value, bytes) else int(value)


def records(path, defaults, given):
    iterator = iter(tf.data.experimental.CsvDataset(path, DEFAULTS[defaults], **given))
    while True:
        try:
            yield [plain(x) for x in next(iterator)]
        except StopIteration:
            return
        except tf.errors.InvalidArgumentError as error:
            yield str(error).split("\n")[0].split(" [Op")[0]


def main():
    draw, cases = random.Random(5), []
    path = os.path.join(tempfile.mkdtemp(), "a.csv")
    for _ in range(400):
        text = "".join(draw.choice(PARTS) for _ in range(draw.randint(1, 14)))
        defaults = draw.choice(sorted(DEFAULTS))
        given = options(draw, len(DEFAULTS[defaults]))
        with open(path, "w", newline="") as file:
            file.write(text)
        cases.append([text, defaults, given, list(records(path, defaults, given))])
    with open(sys.argv[1], "w") as file:
        file.write("[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n")


if __name__ == "__main__":
    main()
