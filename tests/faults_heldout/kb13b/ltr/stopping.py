import copy


class Patience:
    """Keep the best weights and say when to stop."""

    def __init__(self, mode, patience, min_delta):
        self.sign = 1.0 if mode == "max" else -1.0
        self.patience, self.min_delta = patience, min_delta
        self.best, self.bad, self.weights = None, 0, None

    def update(self, value, model):
        value *= self.sign
        if self.best is None or value > self.best + self.min_delta:
            self.best, self.bad = value, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience
