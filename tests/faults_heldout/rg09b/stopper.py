import copy


class Stopper:
    """Keeps the best weights of the watched score and says when to stop."""

    def __init__(self, watch, mode, patience):
        self.watch, self.sign, self.patience = watch, {"max": 1.0, "min": -1.0}[mode], patience
        self.best, self.weights, self.stale = None, None, 0

    def update(self, scores, model):
        value = self.sign * scores[self.watch]
        if self.best is None or value > self.best:
            self.best, self.stale = value, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.stale += 1
        return self.stale > self.patience
