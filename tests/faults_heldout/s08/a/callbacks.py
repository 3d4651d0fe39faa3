import copy


class EarlyStopping:
    def __init__(self, monitor, mode="min", patience=5, min_delta=0.0):
        self.monitor, self.mode = monitor, mode
        self.patience, self.min_delta = patience, min_delta
        self.best, self.wait, self.weights = None, 0, None

    def better(self, value):
        if self.best is None:
            return True
        if self.mode == "min":
            return value < self.best - self.min_delta
        return value > self.best + self.min_delta

    def update(self, logs, model):
        value = logs[self.monitor]
        if self.better(value):
            self.best, self.wait = value, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience

    def restore(self, model):
        model.load_state_dict(self.weights)
