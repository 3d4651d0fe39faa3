import copy


class BestKeeper:
    """Remembers the best weights and tells when to stop."""

    def __init__(self, patience=8, mode="min", min_delta=0.0):
        self.patience, self.mode, self.min_delta = patience, mode, min_delta
        self.best = None
        self.bad = 0
        self.state = None

    def better(self, value):
        if self.best is None:
            return True
        gain = self.best - value if self.mode == "min" else value - self.best
        return gain > self.min_delta

    def update(self, value, model):
        if self.better(value):
            self.best, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience
