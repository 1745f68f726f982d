"""The global step."""

import numpy as np
import pytest

from twinflow.base import dtypes
from twinflow.execute.function import defun
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.core.constant import constant
from twinflow.ops.variables.collections import global_variables_initializer
from twinflow.ops.variables.resource import ResourceVariable as Variable
from twinflow.train import training_util as tu


def test_eagerly(eager):
    assert tu.get_global_step() is None
    step = tu.get_or_create_global_step()
    assert (step.name, step.dtype, step.trainable) == (
        "global_step:0", dtypes.int64, False,
    )  # fmt: skip
    assert tu.get_or_create_global_step() is step is tu.get_global_step()
    step.assign_add(2)
    assert tu.global_step(None, step) == 2
    with pytest.raises(ValueError, match='"global_step" already exists'):
        tu.create_global_step()


def test_functions_see_the_step_outside(eager):
    step = tu.get_or_create_global_step()

    @defun
    def count():
        return tu.get_or_create_global_step().assign_add(1)

    count()
    assert step.numpy() == 1


def test_in_a_graph(graph):
    step = tu.create_global_step()
    assert tu.get_global_step(graph) is step
    assert step in graph.get_collection("variables")
    assert step not in graph.get_collection("trainable_variables")
    with Session() as session:
        session.run(global_variables_initializer())
        assert tu.global_step(session, step) == 0


def test_for_another_graph(graph):
    other = Graph()
    step = tu.create_global_step(other)
    assert step.graph is other
    assert tu.get_global_step() is None
    assert tu.get_global_step(other) is step


def test_a_variable_of_this_name_is_taken(graph):
    mine = Variable(np.int64(0), name="global_step", trainable=False)
    assert tu.get_or_create_global_step() is mine


def test_what_is_no_step(eager):
    with pytest.raises(TypeError, match="must be a Variable or Tensor: 3"):
        tu.assert_global_step(3)
    with pytest.raises(TypeError, match="does not have integer type"):
        tu.assert_global_step(constant(1.0))
    with pytest.raises(TypeError, match="is not scalar"):
        tu.assert_global_step(constant([1, 2]))
