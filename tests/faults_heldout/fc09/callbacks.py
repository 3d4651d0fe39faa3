import copy


class EarlyStopping:
    """Stop when `monitor` has not improved for `patience` epochs and keep the best weights."""

    def __init__(self, monitor, mode="min", patience=5, min_delta=0.0):
        if mode not in ("min", "max"):
            raise ValueError(mode)
        self.monitor, self.mode = monitor, mode
        self.patience, self.min_delta = patience, min_delta
        self.best, self.best_state, self.best_epoch = None, None, None
        self.bad_epochs = 0

    def _improved(self, value):
        if self.best is None:
            return True
        if self.mode == "min":
            return value < self.best - self.min_delta
        return value > self.best + self.min_delta

    def update(self, epoch, logs, model):
        value = logs[self.monitor]
        if self._improved(value):
            self.best, self.best_epoch, self.bad_epochs = value, epoch, 0
            self.best_state = copy.deepcopy(model.state_dict())
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience

    def restore(self, model):
        model.load_state_dict(self.best_state)
