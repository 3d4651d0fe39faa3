import copy


class EarlyStopping:
    """Stop when the monitored value has not improved for `patience` epochs, keep the best weights."""

    def __init__(self, monitor, mode, patience, min_delta=0.0):
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode!r}")
        self.monitor, self.mode = monitor, mode
        self.patience, self.min_delta = patience, min_delta
        self.best = None
        self.best_epoch = 0
        self.weights = None
        self.waited = 0

    def improved(self, value):
        if self.best is None:
            return True
        if self.mode == "min":
            return value < self.best - self.min_delta
        return value > self.best + self.min_delta

    def update(self, epoch, logs, model):
        value = logs[self.monitor]
        if self.improved(value):
            self.best, self.best_epoch, self.waited = value, epoch, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.waited += 1
        return self.waited >= self.patience
