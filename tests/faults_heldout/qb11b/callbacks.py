import copy


class EarlyStopping:
    """Stops when `monitor` has not improved for `patience` epochs; keeps the best weights."""

    def __init__(self, monitor, mode, patience, min_delta=0.0):
        if mode not in ("min", "max"):
            raise ValueError(f"unknown mode {mode!r}")
        self.monitor, self.patience, self.min_delta = monitor, patience, min_delta
        self.sign = 1.0 if mode == "max" else -1.0
        self.best = None
        self.best_state = None
        self.wait = 0

    def update(self, logs, model):
        score = self.sign * logs[self.monitor]
        if self.best is None or score > self.best + self.min_delta:
            self.best, self.wait = score, 0
            self.best_state = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience
