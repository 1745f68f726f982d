"""The ops at size in TensorFlow's names: one source for twinflow and TensorFlow."""

import functools

from benchmarks import ops
from benchmarks.case import Case

RESIZED = "[1, 2, 2, 1], [1, 2, 2, 1], 'SAME'"
OPERATIONS = {
    "add": "a + b",
    "affine": "a * b + c",
    "tanh": "tf.tanh(a)",
    "exp": "tf.exp(a)",
    "sigmoid": "tf.sigmoid(a)",
    "relu": "tf.nn.relu(a)",
    "gelu": "0.5 * a * (1 + tf.tanh(0.7978845608 * (a + 0.044715 * tf.pow(a, 3))))",
    "sum": "tf.reduce_sum(a)",
    "sum_0": "tf.reduce_sum(a, 0)",
    "sum_1": "tf.reduce_sum(a, 1)",
    "max": "tf.reduce_max(a)",
    "argmax": "tf.argmax(a, 1)",
    "softmax": "tf.nn.softmax(a)",
    "sparse_xent":
        "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=b, logits=a)",
    "matmul": "tf.matmul(a, b)",
    "tensordot": "tf.tensordot(a, b, 1)",
    "attention": "tf.matmul(a, b, transpose_b=True)",
    "transpose": "tf.reshape(tf.transpose(a), [-1])",
    "transpose_0213": "tf.reshape(tf.transpose(a, [0, 2, 1, 3]), [-1])",
    "concat": "tf.concat([a, b], 1)",
    "gather": "tf.gather(a, b)",
    "one_hot": "tf.one_hot(a, b)",
    "conv": "tf.nn.conv2d(a, b, [1, 1, 1, 1], 'SAME')",
    "conv_1x1": "tf.nn.conv2d(a, b, [1, 1, 1, 1], 'SAME')",
    "conv_stride": "tf.nn.conv2d(a, b, [1, 2, 2, 1], 'VALID')",
    "depthwise": "tf.nn.depthwise_conv2d(a, b, [1, 1, 1, 1], 'SAME')",
    "max_pool": f"tf.nn.max_pool(a, {RESIZED})",
    "avg_pool": f"tf.nn.avg_pool(a, {RESIZED})",
    "batch_norm": "tf.nn.fused_batch_norm(a, b, c)[0]",
    "layer_norm": "tf.nn.batch_normalization("
        "a, *tf.nn.moments(a, [2], keep_dims=True), c, b, 1e-6)",
    "sort": "sort(a)",
    "top_k": "tf.nn.top_k(a, 100)[0]",
    "cumsum": "tf.cumsum(a)",
    "random_normal": "tf.random_normal([a])",
    "random_uniform": "tf.random_uniform([a])",
    "where": "tf.where(a, b, c)",
    "cast": "tf.cast(a, tf.float64)",
    "segment_sum": "tf.unsorted_segment_sum(a, b, c)",
    "pad": "tf.pad(a, [[0, 0], [1, 1], [1, 1], [0, 0]])",
    "svd": "tf.svd(a)",
    "matrix_solve": "tf.matrix_solve(a, b)",
    "cholesky": "tf.cholesky(a)",
    "fft": "tf.fft(a)",
}  # fmt: skip


class OpCases:
    """The cases of one implementation of the API, run eagerly.

    Args:
        tf: the module. sort: its function that sorts.
    """

    def __init__(self, tf, sort):
        self.tf, self.sort = tf, sort

    def cases(self):
        """{row: {variant: a function that makes its Case}}."""
        return {
            row: {OPERATIONS[name]: functools.partial(self._case, *what)}
            for row, what in ops.ROWS.items()
            for name in what[:1]
        }

    def _case(self, name, size, slopes):
        names = {"tf": self.tf, "sort": self.sort}
        for letter, value in ops.OPS[name].inputs(size).items():
            is_number = isinstance(value, int)
            names[letter] = value if is_number else self.tf.constant(value)
        if slopes:
            return self._slopes(name, names)
        host = functools.partial(self._digest, ops.OPS[name])
        return Case(OPERATIONS[name], names, host=host)

    def _digest(self, op, tensor):
        return ops.digest(self.tf.convert_to_tensor(tensor).numpy(), op)

    def _slopes(self, name, names):
        """From an empty tape to the gradients."""
        tf, op = self.tf, ops.OPS[name]
        sources = [names[letter] for letter in op.slopes]
        forward = eval(f"lambda: {OPERATIONS[name]}", names)
        results = forward()
        several = isinstance(results, tuple | list)
        upstream = [
            tf.constant(op.upstream(result.numpy()))
            for result in (results if several else [results])
        ]

        def slopes():
            with tf.GradientTape() as tape:
                tape.watch(sources)
                result = forward()
            targets = list(result) if several else [result]
            return tape.gradient(targets, sources, upstream)

        host = functools.partial(self._digest, op)
        return Case("slopes()", {"slopes": slopes}, host=host)
