# --- a function of tensors
f = tfe.defun(lambda x: x * x)
show(f(tf.constant(3.0)), f(tf.constant([1.0, 2.0])), f(2.0), f(np.array([1.0, 2.0])))


# --- a decorator
@tfe.defun
def f(x, y=2.0):
    """Adds."""
    return x + y


show(f(tf.constant(1.0)), f(tf.constant(1.0), 3.0), f(tf.constant(1.0), y=4.0))
show(f.__name__, f.__doc__)

# --- python runs once per kind of argument
count = []


@tfe.defun
def f(x):
    count.append(1)
    return x + 1.0


f(tf.constant(1.0))
f(tf.constant(2.0))
show(len(count))
f(tf.constant([1.0]))
f(tf.constant([2.0]))
show(len(count))
f(tf.constant([1.0, 2.0]))
show(len(count))

# --- python values are part of the kind
count = []


@tfe.defun
def f(x, n):
    count.append(n)
    return x * n


x = tf.constant(2.0)
show(f(x, 1.0), f(x, 2.0), f(x, 1.0), count)
show(f(x, n=3.0), count)


# --- structures of arguments and results
@tfe.defun
def f(d, t):
    return {"sum": d["a"] + d["b"], "pair": (t[0], [t[1], t[0]]), "none": None}


show(
    f(
        {"a": tf.constant(1.0), "b": tf.constant(2.0)},
        (tf.constant(3.0), tf.constant(4.0)),
    )
)

# --- namedtuples
import collections

P = collections.namedtuple("P", ["x", "y"])


@tfe.defun
def f(p):
    return P(p.y, p.x)


r = f(P(tf.constant(1.0), tf.constant(2.0)))
show(type(r).__name__, r.x, r.y)

# --- results that are not tensors
f = tfe.defun(lambda x: (x, 3.0, None, [np.float32(2.0)]))
show(f(tf.constant(1.0)))

# --- a function that returns nothing
f = tfe.defun(lambda x: None)
show(f(tf.constant(1.0)))

# --- a result that no tensor can hold
f = tfe.defun(lambda x: object())
f(tf.constant(1.0))

# --- captured tensors
c = tf.constant(10.0)
f = tfe.defun(lambda x: x + c)
show(f(tf.constant(1.0)))
c = tf.constant(100.0)
show(f(tf.constant(1.0)))

# --- captured variables
v = tfe.Variable(1.0)
f = tfe.defun(lambda x: x * v)
show(f(tf.constant(3.0)))
v.assign(5.0)
show(f(tf.constant(3.0)))

# --- assigning in a function
v = tfe.Variable(1.0)


@tfe.defun
def f(x):
    v.assign_add(x)
    v.assign(v * 2.0)
    return v.read_value()


show(f(tf.constant(3.0)), v, f(tf.constant(1.0)), v)

# --- order of effects
v = tfe.Variable(1.0)


@tfe.defun
def f():
    a = v.read_value()
    v.assign(10.0)
    b = v.read_value()
    v.assign_add(1.0)
    return a, b, v.read_value()


show(f(), f())

# --- an assignment that nothing reads
v = tfe.Variable(1.0)


@tfe.defun
def f():
    v.assign_add(1.0)


f()
f()
show(v)


# --- variables made by the first call
class Model(object):
    def __init__(self):
        self.v = None

    @tfe.defun
    def __call__(self, x):
        if self.v is None:
            self.v = tfe.Variable(2.0)
        return self.v * x


m = Model()
show(m(tf.constant(3.0)), m(tf.constant(4.0)), m.v)


# --- methods
class C(object):
    def __init__(self, k):
        self.k = k

    @tfe.defun
    def scale(self, x):
        return x * self.k


a, b = C(2.0), C(3.0)
show(a.scale(tf.constant(5.0)), b.scale(tf.constant(5.0)))


# --- a method re-assigned
class C(object):
    def call(self, x):
        return x * 2.0


c = C()
c.call = tfe.defun(c.call)
show(c.call(tf.constant(5.0)))

# --- functions call functions
g = tfe.defun(lambda x: x * 2.0)
f = tfe.defun(lambda x: g(x) + g(g(x)))
show(f(tf.constant(1.0)))


# --- gradients of functions
f = tfe.defun(lambda x, y: x * x * y)
x, y = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch([x, y])
    z = f(x, y)
show(tape.gradient(z, [x, y]))

# --- gradients of a function with respect to variables
v = tfe.Variable(3.0)
f = tfe.defun(lambda x: x * v * v)
with tf.GradientTape() as tape:
    z = f(tf.constant(2.0))
show(tape.gradient(z, v))

# --- second order through a function | works
f = tfe.defun(lambda x: x**3)
x = tf.constant(2.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    dy = tape.gradient(y, x)
show(dy, outer.gradient(dy, x))


# --- a tape inside a function
@tfe.defun
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**3
    return tape.gradient(y, x)


show(f(tf.constant(2.0)))

# --- gradients_function of a function
show(tfe.gradients_function(tfe.defun(lambda x: x * x))(3.0))
show(tfe.defun(tfe.gradients_function(lambda x: x * x))(tf.constant(3.0)))

# --- implicit gradients of a function
v = tfe.Variable(2.0)
show(tfe.implicit_gradients(tfe.defun(lambda: v * v * v))()[0][0])


# --- several results, some without gradients
@tfe.defun
def f(x):
    return x * 2.0, tf.cast(x, tf.int32), x * x


x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    a, b, c = f(x)
show(b, tape.gradient(c, x))


# --- a condition on a tensor
@tfe.defun
def f(x):
    if x > 0.0:
        return x
    return -x


f(tf.constant(1.0))


# --- a loop over a tensor
@tfe.defun
def f(x):
    for v in x:
        pass
    return x


f(tf.constant([1.0]))


# --- numpy of a tensor in a function
@tfe.defun
def f(x):
    return x.numpy()


f(tf.constant([1.0]))

# --- executing_eagerly in a function
seen = []


@tfe.defun
def f(x):
    seen.append(tf.executing_eagerly())
    return x


f(tf.constant(1.0))
show(seen, tf.executing_eagerly())

# --- the shape in a function
seen = []


@tfe.defun
def f(x):
    seen.append((x.shape.as_list(), x.dtype.name))
    return tf.shape(x)


show(f(tf.ones([2, 3])), seen)

# --- shapes known inside and outside
f = tfe.defun(lambda x: tf.reshape(x, [-1, 2]))
show(f(tf.range(6)), f(tf.range(4)).shape)


# --- an error in a function
@tfe.defun
def f(x, y):
    return tf.matmul(x, y)


f(tf.ones([2, 3]), tf.ones([2, 3]))


# --- an error at run time
@tfe.defun
def f(x, i):
    return tf.gather(x, i)


show(f(tf.constant([1.0, 2.0]), tf.constant([0, 1])))
f(tf.constant([1.0, 2.0]), tf.constant([5]))


# --- an exception from the body
@tfe.defun
def f(x):
    raise KeyError("mine")


f(tf.constant(1.0))


# --- cond in a function
@tfe.defun
def f(x):
    return tf.cond(x > 0.0, lambda: x * 2.0, lambda: -x)


show(f(tf.constant(3.0)), f(tf.constant(-3.0)))


# --- while_loop in a function
@tfe.defun
def f(n):
    return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [0, 0])


show(f(tf.constant(5)), f(tf.constant(0)))

# --- an input signature
f = tfe.defun(lambda x: x * 2.0, input_signature=[tfe.TensorSpec([None], tf.float32)])
show(f(tf.constant([1.0])), f(tf.constant([1.0, 2.0])))

# --- an argument that does not fit the signature
f = tfe.defun(lambda x: x * 2.0, input_signature=[tfe.TensorSpec([None], tf.float32)])
f(tf.constant([[1.0]]))

# --- a dtype that does not fit the signature
f = tfe.defun(lambda x: x * 2.0, input_signature=[tfe.TensorSpec([None], tf.float32)])
f(tf.constant([1]))

# --- too many arguments for the signature
f = tfe.defun(lambda x, y: x, input_signature=[tfe.TensorSpec([None], tf.float32)])
f(tf.constant([1.0]), tf.constant([1.0]))

# --- a signature that is none
tfe.defun(lambda x: x, input_signature=[3])(tf.constant(1.0))

# --- a signature that is no sequence
tfe.defun(lambda x: x, input_signature=3)(tf.constant(1.0))

# --- unhashable arguments | taken by identity
f = tfe.defun(lambda x, s: x)
f(tf.constant(1.0), {1, 2})

# --- wrong number of arguments
f = tfe.defun(lambda x: x)
f(tf.constant(1.0), tf.constant(2.0))


# --- a deleted variable
def make():
    v = tfe.Variable(1.0)
    f = tfe.defun(lambda: v.read_value() if v is not None else v)
    f()
    return f


show(make()())


# --- variables that only the function made
@tfe.defun
def f():
    v = tfe.Variable(1.0)
    return v.read_value()


f()

# --- random numbers differ between calls
tf.set_random_seed(1)
f = tfe.defun(lambda: tf.random_uniform([2]))
a, b = f(), f()
show(bool(tf.reduce_all(tf.equal(a, b))))

# --- an optimizer step in a function
v = tfe.Variable(1.0)
optimizer = tf.train.GradientDescentOptimizer(0.1)


@tfe.defun
def step():
    with tf.GradientTape() as tape:
        loss = v * v
    optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    return loss


show(step(), step(), v)

# --- strings in a function
f = tfe.defun(lambda s: s + "b")
show(f(tf.constant("a")))

# --- a tensor that leaks
leak = []


@tfe.defun
def f(x):
    leak.append(x * 2.0)
    return x


f(tf.constant(1.0))
leak[0] + 1.0

# --- eager in init_scope
seen = []


@tfe.defun
def f(x):
    with tf.init_scope():
        seen.append(tf.executing_eagerly())
    return x


f(tf.constant(1.0))
show(seen)


# --- a custom gradient in a function
@tf.custom_gradient
def double(x):
    return x * 2.0, lambda dy: dy * 100.0


f = tfe.defun(lambda x: double(x) * 3.0)
x = tf.constant(1.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
show(y, tape.gradient(y, x))


# --- make_template
def scale(x):
    v = tf.get_variable("v", shape=(), initializer=tf.constant_initializer(2.0))
    return v * x


t = (
    tfe.make_template("t", scale, create_scope_now_=True)
    if False
    else tf.make_template("t", scale)
)
show(t(tf.constant(1.0)), t(tf.constant(3.0)), len(t.variables))
