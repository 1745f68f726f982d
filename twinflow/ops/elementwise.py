"""Elementwise arithmetic."""
import numpy as np
from twinflow.base import factory
from twinflow.base.op import INEXACT, NUMBER, define
from twinflow.ops.array import unbroadcast
from twinflow.ops.infer import broadcast, same

Add = define(
    "Add(x: T, y: T) -> (z: T)", infer=broadcast, kernel=lambda xp: xp.add, types=NUMBER,
    grad=[lambda dy, shape_x: unbroadcast(dy, shape_x),
          lambda dy, shape_y: unbroadcast(dy, shape_y)],
    strict=True,
)
add = factory.binary(Add, "add", "x + y, elementwise.")
Mul = define(
    "Mul(x: T, y: T) -> (z: T)", infer=broadcast, kernel=lambda xp: xp.multiply, types=NUMBER,
    grad=[lambda dy, shape_x, y: unbroadcast(multiply(dy, y), shape_x),
          lambda dy, shape_y, x: unbroadcast(multiply(dy, x), shape_y)],
    strict=True,
)
multiply = factory.binary(Mul, "multiply", "x * y, elementwise.")
Tanh = define("Tanh(x: T) -> (y: T)", infer=same, kernel=lambda xp: xp.tanh, types=INEXACT,
    grad=[lambda dy, y: multiply(dy, subtract(1.0, multiply(y, y)))], strict=True)
tanh = factory.unary(Tanh, "tanh", "tanh x", gate="is_inexact")
Sub = define(
    "Sub(x: T, y: T) -> (z: T)", infer=broadcast, kernel=lambda xp: xp.subtract, types=NUMBER,
    grad=[lambda dy, shape_x: unbroadcast(dy, shape_x),
          lambda dy, shape_y: unbroadcast(negative(dy), shape_y)],
    strict=True,
)
subtract = factory.binary(Sub, "subtract", "x - y, elementwise.")
Neg = define("Neg(x: T) -> (y: T)", infer=same, kernel=lambda xp: xp.negative, types=NUMBER, grad=[lambda dy: negative(dy)], strict=True)
negative = factory.unary(Neg, "negative", "-x")
