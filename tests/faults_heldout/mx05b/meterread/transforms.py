"""Image operations; pipelines are lists of their names."""

OPS = {}


def op(fn):
    OPS[fn.__name__] = fn
    return fn


@op
def unit(x):
    return x / 16.0


@op
def invert(x):
    return 1.0 - x


@op
def center(x):
    return (x - 0.5) / 0.375


def compose(names):
    steps = [OPS[n] for n in names]

    def apply(x):
        for step in steps:
            x = step(x)
        return x

    return apply
