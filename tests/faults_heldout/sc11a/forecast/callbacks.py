import copy


class EarlyStopping:
    def __init__(self, monitor, mode="min", patience=5, min_delta=0.0):
        if mode not in ("min", "max"):
            raise ValueError(mode)
        self.monitor, self.mode = monitor, mode
        self.patience, self.min_delta = patience, min_delta
        self.best, self.best_epoch, self.best_state = None, -1, None
        self.wait = 0

    def _improved(self, value):
        if self.best is None:
            return True
        if self.mode == "min":
            return value < self.best - self.min_delta
        return value > self.best + self.min_delta

    def update(self, epoch, metrics, model):
        """Record this epoch; returns True when training should stop."""
        value = metrics[self.monitor]
        if self._improved(value):
            self.best, self.best_epoch, self.wait = value, epoch, 0
            self.best_state = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience

    def restore(self, model):
        model.load_state_dict(self.best_state)
