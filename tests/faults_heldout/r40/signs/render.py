import numpy as np

CLASSES = ("turn_left", "turn_right", "keep_left", "keep_right", "straight", "stop")


def sign(kind, rng, s=20):
    """Grey-scale pictogram of a road sign."""
    img = np.full((s, s), rng.uniform(0, .3))
    yy, xx = np.mgrid[:s, :s]
    cy, cx = (s - 1) / 2 + rng.uniform(-1.5, 1.5, 2)
    th = rng.uniform(1.0, 1.8)
    if kind == "stop":
        img[(yy - cy) ** 2 + (xx - cx) ** 2 < 42] = .9
        img[(abs(yy - cy) < th) & (abs(xx - cx) < 5)] = .1
    elif kind == "straight":
        img[(abs(xx - cx) < th) & (yy > 3) & (yy < 17)] = .9
        img[(abs(abs(xx - cx) - (yy - 3)) < th) & (yy < 8)] = .9
    else:
        side = -1 if kind.endswith("left") else 1
        if kind.startswith("turn"):
            img[(abs(xx - cx) < th) & (yy > 8) & (yy < 17)] = .9
            img[(abs(yy - 8) < th) & ((xx - cx) * side > 0) & ((xx - cx) * side < 7)] = .9
        else:
            img[(abs((xx - cx) * side - (yy - cy)) < 1.4 * th) & (abs(yy - cy) < 6)] = .9
    return img + rng.normal(0, .12, (s, s))
