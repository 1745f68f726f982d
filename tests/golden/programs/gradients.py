# --- one source gives one gradient
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
show(tape.gradient(y, x))

# --- a list of sources gives a list
a, b = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(a)
    tape.watch(b)
    y = a * b + a
show(tape.gradient(y, [a, b]))

# --- the structure of sources is kept
a, b, c = tf.constant(2.0), tf.constant(3.0), tf.constant(4.0)
with tf.GradientTape() as tape:
    tape.watch([a, b, c])
    y = a * b * c
show(tape.gradient(y, (a, [b, {"c": c}])))

# --- a dictionary of sources
a, b = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = a * b
show(tape.gradient(y, {"b": b, "a": a}))

# --- an unwatched source
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
show(tape.gradient(y, x))

# --- an unconnected source
x, z = tf.constant(3.0), tf.constant(1.0)
with tf.GradientTape() as tape:
    tape.watch([x, z])
    y = x * x
show(tape.gradient(y, [x, z]))

# --- the target is the source
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
show(tape.gradient(x, x))

# --- a second gradient of a one-shot tape
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
tape.gradient(y, x)
tape.gradient(y, x)

# --- a persistent tape
x = tf.constant(3.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y
show(tape.gradient(z, x), tape.gradient(y, x))
del tape

# --- nested tapes give higher orders
x = tf.constant(3.0)
with tf.GradientTape() as g:
    g.watch(x)
    with tf.GradientTape() as gg:
        gg.watch(x)
        y = x * x * x
    dy = gg.gradient(y, x)
show(dy, g.gradient(dy, x))

# --- output gradients
x = tf.constant([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
show(tape.gradient(y, x, output_gradients=tf.constant([10.0, 20.0])))
show(tape.gradient(y, x, output_gradients=[tf.constant([10.0, 20.0])]))

# --- several targets are added up
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y, z = x * x, 3.0 * x
show(tape.gradient([y, z], x))

# --- several targets with output gradients, one of them None
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y, z = x * x, 3.0 * x
show(tape.gradient([y, z], [x], output_gradients=[None, tf.constant([1.0, 10.0])]))

# --- trainable variables are watched
v, w = tfe.Variable(3.0), tfe.Variable(2.0, trainable=False)
with tf.GradientTape() as tape:
    y = v * v * w
show([t.name for t in tape.watched_variables()])
show(tape.gradient(y, [v, w]))

# --- watching a variable that is not trainable
w = tfe.Variable(2.0, trainable=False)
with tf.GradientTape() as tape:
    tape.watch(w)
    y = w * w
show(tape.gradient(y, w))

# --- not watching accessed variables
v = tfe.Variable(3.0)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    y = v * v
show(tape.gradient(y, v))
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(v)
    y = v * v
show(tape.gradient(y, v))

# --- stop recording
x = tf.constant(3.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    with tape.stop_recording():
        z = y * y
    w = y * 2.0
show(tape.gradient(y, x), tape.gradient(z, x), tape.gradient(w, x))

# --- reset
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    tape.reset()
    tape.watch(x)
    z = x * 5.0
show(tape.gradient(z, x))

# --- reset forgets the target
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    tape.reset()
show(tape.gradient(y, x))

# --- integers have no gradient
x = tf.constant(3)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
show(tape.gradient(y, x))

# --- casts pass gradients between float types
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.cast(x, tf.float64) * tf.constant(2.0, tf.float64)
show(tape.gradient(y, x))

# --- argmax has no gradient
x = tf.constant([1.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.argmax(x)
show(tape.gradient(y, x))

# --- stop_gradient
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * tf.stop_gradient(x)
show(tape.gradient(y, x))

# --- identity and a tensor used twice
x = tf.constant([1.0, -2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.identity(x)
    z = tf.reduce_sum(y * y + y)
show(tape.gradient(z, [x, y]))

# --- broadcasting is summed back
x, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch([x, b])
    y = x * b
show(tape.gradient(y, [x, b]))

# --- a Python loop under a tape
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.constant(1.0)
    for i in range(3):
        if y < 4.0:
            y = y * x
        else:
            y = y + x
show(y, tape.gradient(y, x))

# --- indexing under a tape
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x[0, 1] * x[1, 0] + x[..., -1][0]
show(tape.gradient(y, x))

# --- split and concat
x = tf.constant([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    a, b = tf.split(x, 2)
    y = tf.concat([b * 2.0, a * a], 0)
show(tape.gradient(y, x))

# --- only one output of several is used
x = tf.constant([4.0, 1.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    values, places = tf.nn.top_k(x, 2)
    y = values[0] * 2.0
show(tape.gradient(y, x), places)

# --- max shares its gradient among ties
x = tf.constant([2.0, 1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y, z = tf.reduce_max(x), tf.maximum(x, 2.0)
show(tape.gradient(y, x), tape.gradient(z, x))

# --- relu at zero, abs at zero, sqrt at zero
x = tf.constant([0.0, 1.0, -1.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    a, b, c = tf.nn.relu(x), tf.abs(x), tf.sqrt(x)
show(tape.gradient(a, x), tape.gradient(b, x), tape.gradient(c, x))

# --- where chooses gradients, nan included
x = tf.constant([0.0, 1.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.where(x > 0.5, tf.log(x), tf.zeros_like(x))
show(y, tape.gradient(y, x))

# --- pow at zero
x, p = tf.constant([0.0, 2.0]), tf.constant([2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch([x, p])
    y = x**p
show(tape.gradient(y, [x, p]))

# --- norm at zero
x = tf.constant([0.0, 0.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.norm(x)
show(tape.gradient(y, x))

# --- product with zeros
x = tf.constant([0.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_prod(x)
show(tape.gradient(y, x))

# --- cumprod and cumsum
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    a, b = tf.cumsum(x * x), tf.cumprod(x)
show(tape.gradient(a, x), tape.gradient(b, x))

# --- gradient of an embedding
v = tfe.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    y = tf.nn.embedding_lookup(v, [2, 0, 2])
show(tape.gradient(y, v))

# --- gradient of gather along another axis
x = tf.constant([[1.0, 2.0, 3.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.gather(x, [2, 2], axis=1)
show(tape.gradient(y, x))

# --- watch takes a structure and refuses what is no tensor
with tf.GradientTape() as tape:
    tape.watch([1.0])

# --- a source that is no tensor
with tf.GradientTape() as tape:
    y = tf.constant(1.0)
tape.gradient(y, 3.0)

# --- entering a tape twice
tape = tf.GradientTape()
with tape:
    with tape:
        pass

# --- the tape ends when gradient is called inside it
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    show(tape.gradient(y, x))

# --- gradients_function
show(tfe.gradients_function(lambda x: x * x)(3.0))
show(tfe.gradients_function(lambda x, y: x * x + y * y)(2.0, 3.0))
show(tfe.gradients_function(lambda x, y: x * x + y * y, params=[1])(2.0, 3.0))


# --- gradients_function by name
def f(x, y):
    return x * x * y


show(tfe.gradients_function(f, params=["y"])(2.0, 3.0))
show(tfe.gradients_function(f, params=["x", 1])(2.0, 3.0))


# --- gradients_function of an unknown name
def f(x, y):
    return x * x * y


tfe.gradients_function(f, params=["z"])(2.0, 3.0)

# --- gradients_function sums what is not a scalar
show(tfe.gradients_function(lambda x: x * x)(tf.constant([1.0, 2.0])))
dy = tf.constant([1.0, 10.0])
show(tfe.gradients_function(lambda x: x * x)([1.0, 2.0], dy=dy))

# --- orders one to three
grad = tfe.gradients_function(lambda x: tf.multiply(x, x))
show(grad(3.0))
second = tfe.gradients_function(lambda x: grad(x)[0])
show(second(3.0))
show(tfe.gradients_function(lambda x: second(x)[0])(3.0))

# --- orders of a power
grad = tfe.gradients_function(lambda x: x**2)
second = tfe.gradients_function(lambda x: grad(x)[0])
third = tfe.gradients_function(lambda x: second(x)[0])
show(grad(3.0), second(3.0), third(3.0))

# --- value_and_gradients_function
show(tfe.value_and_gradients_function(lambda x, y: x * y)(2.0, 3.0))

# --- implicit_gradients finds the variables that are used
a, b, c = (tfe.Variable(float(i), name=n) for i, n in enumerate("abc"))
found = tfe.implicit_gradients(lambda x: a * x + c * c)(4.0)
show([(g, v.name) for g, v in found])

# --- implicit_gradients without variables
tfe.implicit_gradients(lambda x: x * x)(4.0)

# --- implicit_value_and_gradients
v = tfe.Variable(2.0, name="v")
value, pairs = tfe.implicit_value_and_gradients(lambda x: v * x)(3.0)
show(value, pairs[0][0], pairs[0][1].name)

# --- a function that returns None
tfe.gradients_function(lambda x: None)(1.0)

# --- implicit_gradients of a function that returns None
v = tfe.Variable(2.0, name="v")


def f(x):
    v * x


tfe.implicit_gradients(f)(1.0)

# --- keyword arguments
tfe.gradients_function(lambda x: x)(x=1.0)

# --- abs of both signs
grad = tfe.gradients_function(lambda x: x if x > 0.0 else -x)
show(grad(3.0), grad(-3.0))

# --- log1pexp overflows without a custom gradient
grad = tfe.gradients_function(lambda x: tf.log(1 + tf.exp(x)))
show(grad(0.0), grad(100.0))


# --- log1pexp with a custom gradient
@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(dy):
        return dy * (1 - 1 / (1 + e))

    return tf.log(1 + e), grad


grad = tfe.gradients_function(log1pexp)
show(grad(0.0), grad(100.0), log1pexp(tf.constant(0.0)))


# --- custom gradient with None for an argument
@tf.custom_gradient
def clip_gradient_by_norm(x, norm):
    y = tf.identity(x)

    def grad_fn(dresult):
        return [tf.clip_by_norm(dresult, norm), None]

    return y, grad_fn


x = tf.constant([3.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = clip_gradient_by_norm(x, 1.0) * 10.0
show(tape.gradient(y, x))


# --- custom gradient with several results
@tf.custom_gradient
def f(x):
    def grad(da, db):
        return da * 10.0 + db * 100.0

    return (x * 2.0, x * 3.0), grad


x = tf.constant(1.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    a, b = f(x)
    y = a + b
show(a, b, tape.gradient(y, x), tape.gradient(a, x))


# --- custom gradient of second order
@tf.custom_gradient
def cube(x):
    def grad(dy):
        return dy * 3.0 * x * x

    return x * x * x, grad


first = tfe.gradients_function(cube)
second = tfe.gradients_function(lambda x: first(x)[0])
show(first(2.0), second(2.0))

# --- custom gradient with variables
v = tfe.Variable(3.0, name="v")


@tf.custom_gradient
def f(x):
    def grad(dy, variables=None):
        return dy * v, [dy * x * 10.0]

    return x * v, grad


x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
show(tape.gradient(y, [x, v]))

# --- custom gradient that does not take its variables
v = tfe.Variable(3.0, name="v")


@tf.custom_gradient
def f(x):
    return x * v, lambda dy: dy


f(tf.constant(2.0))


# --- custom gradient with the wrong number of gradients
@tf.custom_gradient
def f(x, y):
    return x * y, lambda dy: [dy]


a, b = tf.constant(1.0), tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = f(a, b)
show(tape.gradient(y, [a, b]))


# --- custom gradient with keywords in eager mode
@tf.custom_gradient
def f(x, scale=1.0):
    return x * scale, lambda dy: dy * scale


show(f(tf.constant(2.0), scale=3.0))
