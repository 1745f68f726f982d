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

# --- several targets with output gradients, one of them None | None stands for ones, as later
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

# --- watch takes a structure and refuses what is no tensor | TypeError, not SystemError
with tf.GradientTape() as tape:
    tape.watch([1.0])

# --- a source that is no tensor | a TypeError that says what to do
with tf.GradientTape() as tape:
    y = tf.constant(1.0)
tape.gradient(y, 3.0)

# --- entering a tape twice
tape = tf.GradientTape()
with tape, tape:
    pass

# --- the tape ends when gradient is called inside it
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    show(tape.gradient(y, x))
