"""Programs that take elements out of lists, or replace them; gradients go through."""

import twinflow as tf
from tests.autograph.programs import ROW, TABLE, program


@program(ROW)
def stack_of_squares(x):
    found = [x[0]]
    total = tf.constant(0.0)
    for v in x:
        found.append(v * v)
        if v > 0.7:
            total = total + found.pop() * 3.0
    while len(found) > 0:
        total = total * 1.5 + found.pop()
    return total


@program(ROW)
def replaced_elements(x):
    parts = [x[0], x[1] * x[1], x[2] * x[0]]
    for i in tf.range(5):
        parts[i % 3] = parts[(i + 1) % 3] * x[1]
    return parts[0] + 2.0 * parts[1] + 3.0 * parts[2]


@program(TABLE)
def reversed_rows(table):
    rows, back = [], []
    for row in table:
        rows.append(row * row)
    while len(rows) > 0:
        back.append(rows.pop() + tf.to_float(len(rows)))
    return tf.stack(back)


@program(ROW)
def popped_in_one_branch(x):
    found = [x[0] * x[1], x[2] * x[3]]
    if x[0] > 0.0:
        a = found.pop()
    else:
        found.append(x[1])
        a = x[3]
    return a * 2.0, tf.stack(found)


@program(ROW)
def popped_in_nested_loops(x):
    waiting, total = [], tf.constant(0.0)
    for v in x:
        waiting.append(v)
        waiting.append(v * v)
        while tf.less(total, 3.0) and len(waiting) > 1:
            total += waiting.pop() * v
    return total, len(waiting)


@program(ROW)
def polish_notation(x):
    stack = []
    for code in tf.constant([0, 1, -1, 2, -2, 3, -1]):
        if code >= 0:
            stack.append(x[code])
        else:
            b = stack.pop()
            a = stack.pop()
            if tf.equal(code, -1):
                stack.append(a * b)
            else:
                stack.append(a - b)
    return stack.pop()


@program(ROW)
def read_but_never_changed_in_a_loop(x):
    parts = [x[0], x[1] * x[1]]
    parts[0] = parts[1] * 2.0
    total = tf.constant(0.0)
    i = tf.constant(0)
    while i < 2:
        parts.append(parts[i] * x[2])
        total += parts[i] * parts.pop()
        i += 1
    return total


@program(ROW)
def swapped_until_sorted(x):
    xs = [x[0], x[1], x[2], x[3]]
    swapped = True
    while swapped:
        swapped = False
        for i in tf.range(3):
            if xs[i] > xs[i + 1]:
                a = xs[i]
                xs[i] = xs[i + 1]
                xs[i + 1] = a
                swapped = True
    return xs[0] + 2.0 * xs[1] + 4.0 * xs[2] + 8.0 * xs[3]


@program(ROW)
def popped_in_conditions(x):
    found, total = [x[3]], tf.constant(0.0)
    for v in x:
        found.append(v * v)
        found.extend([v, v + 1.0])
        if found.pop() > 1.5:
            total += v
    while found.pop() < 4.0:
        total += found.pop() * 0.5
        found += [total]
    return total, tf.stack(found)
