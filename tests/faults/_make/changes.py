"""What happens to one part of a data set: scaling, noise, order, gaps, repeats."""
import numpy as np

XY = tuple[np.ndarray, np.ndarray]


def noisy_labels(share: float, classes: int):
    def change(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
        wrong = rng.random(len(y)) < share
        y[wrong] = rng.integers(0, classes, wrong.sum())
        return x, y
    return change


def rolled_labels(by: int):
    return lambda x, y, rng: (x, np.roll(y, by))


def by_class(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
    order = np.argsort(y, kind="stable")
    return x[order], y[order]


def renumbered(classes: int, by: int = 1):
    return lambda x, y, rng: (x, (y + by) % classes)


def scaled(column: int, factor: float, offset: float = 0.0):
    def change(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
        x[:, column] = x[:, column] * factor + offset
        return x, y
    return change


def all_scaled(factor: float, offset: float = 0.0):
    return lambda x, y, rng: (x * factor + offset, y)


def standardised(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
    return (x - x.mean(0)) / x.std(0), y


def gaps(share: float):
    def change(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
        x = x.astype(float)
        x[rng.random(x.shape) < share] = np.nan
        return x, y
    return change


def constant(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
    return np.broadcast_to(x[:1], x.shape).copy(), y


def repeated(unique: int):
    def change(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
        pick = np.arange(len(y)) % unique
        return x[pick], y[pick]
    return change


def rare(keep: dict[int, int]):
    def change(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
        rows = np.concatenate([np.flatnonzero(y == c)[: keep.get(int(c), len(y))] for c in np.unique(y)])
        rng.shuffle(rows)
        return x[rows], y[rows]
    return change


def inverted(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
    return 16 - x, y


def first(n: int, label_noise: float = 0.0, classes: int = 10):
    def change(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> XY:
        return noisy_labels(label_noise, classes)(x[:n].copy(), y[:n].copy(), rng)
    return change
