import copy


class EarlyStopping:
    """Stops when the watched value has not improved for `patience` epochs; keeps the best weights."""

    def __init__(self, patience=6, mode="min", min_delta=0.0):
        assert mode in ("min", "max")
        self.patience = patience
        self.sign = 1 if mode == "min" else -1
        self.min_delta = min_delta
        self.best = None
        self.best_state = None
        self.bad = 0

    def __call__(self, value, model):
        value = self.sign * value
        if self.best is None or value < self.best - self.min_delta:
            self.best, self.bad = value, 0
            self.best_state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience
