import copy


class EarlyStopping:
    """Stop when the watched score has not gained `min_delta` for `patience` checks; keeps the best weights."""

    def __init__(self, patience, min_delta=0.0):
        self.patience = patience
        self.min_delta = min_delta
        self.best = None
        self.wait = 0
        self.weights = None

    def update(self, score, model):
        if self.best is None or score > self.best + self.min_delta:
            self.best = score
            self.wait = 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience
