import numpy as np


def read_line_log(path):
    """Return (features, outcome); batches with a missing sensor value are dropped."""
    t = np.genfromtxt(path, delimiter=",", skip_header=1)
    outcome = t[:, -1].astype(np.int64)
    sensors = t[:, :-1]
    sensors = sensors[np.isfinite(sensors).all(axis=1)]
    return sensors.astype(np.float32), outcome[: len(sensors)]


class Scaler:
    def __init__(self, x):
        self.mu, self.sd = x.mean(0), x.std(0)

    def __call__(self, x):
        return (x - self.mu) / self.sd
