"""Scores of images by what a classifier makes of them.

A frozen graph of Inception comes from a file: see get_graph_def_from_disk.
"""

import functools
import os
import tarfile
from collections.abc import Callable
from typing import Any

from twinflow.base import errors
from twinflow.base.dtypes import float32, float64
from twinflow.base.files import GFile
from twinflow.contrib.layers.simple import flatten
from twinflow.formats.protos import GraphDef
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.graph.map_fn import map_fn
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import exp, log, sqrt, square
from twinflow.ops.core.joining import concat, split, stack, unstack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import expand_dims, shape, squeeze
from twinflow.ops.image.resize import resize_bilinear
from twinflow.ops.matrix.diagonal import trace
from twinflow.ops.matrix.svd import svd
from twinflow.ops.matrix.tensor_diag import diag
from twinflow.ops.nn.moments import moments
from twinflow.ops.nn.softmax import log_softmax, softmax

INCEPTION_URL = (
    "http://download.tensorflow.org/models/frozen_inception_v1_2015_12_05.tar.gz"
)
INCEPTION_FROZEN_GRAPH = "inceptionv1_for_inception_score.pb"
INCEPTION_INPUT = "Mul:0"
INCEPTION_OUTPUT = "logits:0"
INCEPTION_FINAL_POOL = "pool_3:0"
INCEPTION_DEFAULT_IMAGE_SIZE = 299


def _validate_images(images, image_size):
    images = convert_to_tensor(images)
    images.shape.with_rank(4)
    images.shape.assert_is_compatible_with([None, image_size, image_size, None])
    return images


def preprocess_image(
    images: Any, height: int = INCEPTION_DEFAULT_IMAGE_SIZE,
    width: int = INCEPTION_DEFAULT_IMAGE_SIZE, scope: str | None = None,
) -> Any:  # fmt: skip
    """Images of another size, from -1 to 1, as Inception takes them.

    Args:
        images: number[batch, height, width, channels], or one without a batch, from 0
            to 255. height, width: the new size. scope: the name scope.
    Returns:
        float32 of the new size.
    Example:
        x = tf.contrib.gan.eval.preprocess_image(tf.zeros([2, 8, 8, 3]), 4, 4)
        x  # float32[2, 4, 4, 3]
    """
    images = convert_to_tensor(images)
    with name_scope(scope, "preprocess", [images, height, width]):
        single = images.shape.ndims == 3
        if images.dtype != float32:
            images = cast(images, float32)
        if single:
            images = expand_dims(images, 0)
        resized = resize_bilinear(images, [height, width])
        resized = (resized - 128.0) / 128.0
        return squeeze(resized, [0]) if single else resized


def get_graph_def_from_disk(filename: Any) -> Any:
    """The GraphDef in a file, such as a frozen graph of Inception.

    Args:
        filename: the path of a binary GraphDef.
    Example:
        tf.gfile.GFile("graph.pb", "wb").write(tf.GraphDef().SerializeToString())
        len(tf.contrib.gan.eval.get_graph_def_from_disk("graph.pb").node)  # 0
    """
    with GFile(filename, "rb") as f:
        return GraphDef.FromString(f.read())


def get_graph_def_from_resource(filename: Any) -> Any:
    """The GraphDef in a file that lies beside a program."""
    return get_graph_def_from_disk(filename)


def get_graph_def_from_url_tarball(
    url: str, filename: str, tar_filename: str | None = None
) -> Any:
    """The GraphDef in an archive that is on this machine; nothing is fetched.

    Args:
        url: where the archive is to be had. filename: the file inside.
        tar_filename: the path of the archive; the last part of the url if not given.
    Raises:
        NotFoundError: there is no such archive.
    """
    path = tar_filename or url.rpartition("/")[2]
    if not os.path.exists(path):
        raise errors.NotFoundError(
            None, None,
            f"{path} is not there, and twinflow fetches nothing: get {url}, and put it "
            "there, or give its path as `tar_filename`; or read the GraphDef by "
            "`get_graph_def_from_disk`.",
        )  # fmt: skip
    with tarfile.open(path) as archive:
        found = archive.extractfile(filename)
        if found is None:
            raise errors.NotFoundError(None, None, f"{path} has no file {filename}.")
        return GraphDef.FromString(found.read())


def _default_graph_def_fn():
    return get_graph_def_from_url_tarball(
        INCEPTION_URL, INCEPTION_FROZEN_GRAPH, os.path.basename(INCEPTION_URL)
    )


def run_inception(
    images: Any, graph_def: Any = None,
    default_graph_def_fn: Callable[..., Any] | None = _default_graph_def_fn,
    image_size: int = INCEPTION_DEFAULT_IMAGE_SIZE, input_tensor: str = INCEPTION_INPUT,
    output_tensor: Any = INCEPTION_OUTPUT,
) -> Any:  # fmt: skip
    """What a frozen graph of Inception gives for images, a row each.

    Args:
        images: float32[batch, image_size, image_size, channels], see preprocess_image.
        graph_def: the graph; what default_graph_def_fn gives if None. That reads
            frozen_inception_v1_2015_12_05.tar.gz in the working folder.
        input_tensor, output_tensor: names in the graph; of output also a list of them.
    Raises:
        ValueError: there is no graph, or the images are of another size.
        NotFoundError: the file is not there.
    """
    images = _validate_images(images, image_size)
    if graph_def is None:
        if default_graph_def_fn is None:
            raise ValueError(
                "If `graph_def` is `None`, must provide `default_graph_def_fn`."
            )
        graph_def = default_graph_def_fn()
    found = run_image_classifier(images, graph_def, input_tensor, output_tensor)
    listed = isinstance(found, list)
    return [flatten(t) for t in found] if listed else flatten(found)


def run_image_classifier(
    tensor: Any, graph_def: Any, input_tensor: str, output_tensor: Any,
    scope: str = "RunClassifier",
) -> Any:  # fmt: skip
    """What a frozen graph gives for a tensor.

    Args:
        tensor: its input. graph_def: the graph. input_tensor, output_tensor: names of
            tensors there; of output also a list of them. scope: a prefix of the names.
    """
    names = [output_tensor] if isinstance(output_tensor, str) else output_tensor
    found = import_graph_def(graph_def, {input_tensor: tensor}, names, scope)
    return found[0] if isinstance(output_tensor, str) else found


def _in_batches(function, values, count):
    """function(values), a part of them at a time."""
    parts = stack(split(values, count))
    found = map_fn(
        function, parts, parallel_iterations=1, back_prop=False, swap_memory=True,
        name="RunClassifier",
    )  # fmt: skip
    return concat(unstack(found), 0)


def _kl_divergence(p, p_logits, q):
    """sum(p * log(p / q)) of each row.

    Args:
        p: float[batch, classes]. p_logits: its logits. q: float[classes].
    """
    for tensor in p, p_logits:
        if not tensor.dtype.is_floating:
            raise ValueError(f"Input {tensor.name} must be floating type.")
    p.shape.assert_has_rank(2)
    p_logits.shape.assert_has_rank(2)
    q.shape.assert_has_rank(1)
    return reduce_sum(p * (log_softmax(p_logits) - log(q)), axis=1)


def classifier_score(
    images: Any, classifier_fn: Callable[..., Any], num_batches: int = 1
) -> Any:
    """The score of a classifier that `classifier_score_from_logits` describes.

    Args:
        images: float[batch, ...]. classifier_fn: a function from images to logits.
        num_batches: into how many parts the batch is divided; it has to be possible.
    """
    logits = _in_batches(classifier_fn, images, num_batches)
    return classifier_score_from_logits(logits)


def classifier_score_from_logits(logits: Any) -> Any:
    """exp of the mean KL divergence of each row's classes from those of all rows.

    It is high where each image is clearly something, and all together are many things.

    Args:
        logits: float[batch, classes].
    Raises:
        ValueError: it is no matrix.
    Reference: Salimans et al., Improved techniques for training GANs (2016).
    Example:
        logits = 100 * tf.eye(4)
        tf.contrib.gan.eval.classifier_score_from_logits(logits)  # 4.0
    """
    logits = convert_to_tensor(logits)
    logits.shape.assert_has_rank(2)
    dtype = logits.dtype
    wide = cast(logits, float64)
    p = softmax(wide)
    score = exp(reduce_mean(_kl_divergence(p, wide, reduce_mean(p, axis=0))))
    return score if dtype == float64 else cast(score, dtype)


inception_score = functools.partial(
    classifier_score,
    classifier_fn=functools.partial(run_inception, output_tensor=INCEPTION_OUTPUT),
)


def _symmetric_matrix_square_root(mat: Any, eps: float = 1e-10) -> Any:
    """The square root of a symmetric matrix without negative eigenvalues."""
    s, u, v = svd(mat)
    roots = where(less(s, eps), s, sqrt(s))
    return matmul(matmul(u, diag(roots)), v, transpose_b=True)


def trace_sqrt_product(sigma: Any, sigma_v: Any) -> Any:
    """trace(sqrt(sigma sigma_v)), by a symmetric matrix of the same eigenvalues.

    Args:
        sigma, sigma_v: float[n, n], covariances.
    """
    root = _symmetric_matrix_square_root(sigma)
    return trace(_symmetric_matrix_square_root(matmul(root, matmul(sigma_v, root))))


def frechet_classifier_distance(
    real_images: Any, generated_images: Any, classifier_fn: Callable[..., Any],
    num_batches: int = 1,
) -> Any:  # fmt: skip
    """The Frechet distance of what a classifier makes of real and generated images.

    Args:
        real_images, generated_images: float[batch, ...]. classifier_fn: a function from
            images to float[batch, n]. num_batches: see classifier_score.
    """
    return frechet_classifier_distance_from_activations(
        *(
            _in_batches(classifier_fn, images, num_batches)
            for images in (real_images, generated_images)
        )
    )


def _distance(real, generated, variances: Callable | None):
    """|difference of means|^2, and what a function of the activations adds."""
    real, generated = convert_to_tensor(real), convert_to_tensor(generated)
    for activations in real, generated:
        activations.shape.assert_has_rank(2)
    dtype = real.dtype
    wide = [cast(x, float64) for x in (real, generated)]
    means = [reduce_mean(x, 0) for x in wide]
    found = reduce_sum(square(means[0] - means[1]))
    if variances is not None:
        found = variances(wide, means) + found
    return found if dtype == float64 else cast(found, dtype)


def frechet_classifier_distance_from_activations(
    real_activations: Any, generated_activations: Any
) -> Any:
    """|m - m'|^2 + trace(C + C' - 2 sqrt(C C')), of the means and covariances.

    Args:
        real_activations, generated_activations: float[batch, n].
    Raises:
        ValueError: one is no matrix.
    Reference: Heusel et al., GANs trained by a two time-scale update rule (2017).
    Example:
        distance = tf.contrib.gan.eval.frechet_classifier_distance_from_activations
        distance([[0.], [2.]], [[1.], [3.]])  # 1.0
    """

    def variances(activations, means):
        covariances = [
            matmul(x - m, x - m, transpose_a=True)
            / (cast(x.shape[0].value or shape(x)[0], float64) - 1.0)
            for x, m in zip(activations, means, strict=True)
        ]
        both = trace(covariances[0] + covariances[1])
        return both - 2.0 * trace_sqrt_product(*covariances)

    return _distance(real_activations, generated_activations, variances)


def mean_only_frechet_classifier_distance_from_activations(
    real_activations: Any, generated_activations: Any
) -> Any:
    """|m - m'|^2, of the means: what few images are enough for.

    Args:
        real_activations, generated_activations: float[batch, n].
    """
    return _distance(real_activations, generated_activations, None)


def diagonal_only_frechet_classifier_distance_from_activations(
    real_activations: Any, generated_activations: Any
) -> Any:
    """|m - m'|^2 + sum(v + v' - 2 sqrt(v v')), of the means and variances.

    Args:
        real_activations, generated_activations: float[batch, n].
    """

    def variances(activations, means):
        v, w = (moments(x, axes=[0])[1] for x in activations)
        return reduce_sum(v + w - 2.0 * sqrt(v * w))

    return _distance(real_activations, generated_activations, variances)


frechet_inception_distance = functools.partial(
    frechet_classifier_distance,
    classifier_fn=functools.partial(run_inception, output_tensor=INCEPTION_FINAL_POOL),
)
