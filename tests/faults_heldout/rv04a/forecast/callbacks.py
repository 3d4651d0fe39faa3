import copy


class EarlyStopping:
    """Remembers the best weights and says when to give up."""

    def __init__(self, monitor, mode, patience, min_delta=0.0):
        if mode not in ("min", "max"):
            raise ValueError(f"mode must be min or max, got {mode!r}")
        self.monitor, self.patience, self.min_delta = monitor, patience, min_delta
        self.sign = 1.0 if mode == "max" else -1.0
        self.best, self.best_epoch, self.state, self.waited = None, None, None, 0

    def update(self, epoch, logs, model):
        score = self.sign * logs[self.monitor]
        if self.best is None or score > self.best + self.min_delta:
            self.best, self.best_epoch, self.waited = score, epoch, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.waited += 1
        return self.waited >= self.patience

    def restore(self, model):
        model.load_state_dict(self.state)
