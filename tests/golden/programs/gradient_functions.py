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


# --- custom gradient with the wrong number of gradients | an error, not a gradient left out
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
