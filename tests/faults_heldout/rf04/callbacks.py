import copy
import math


class Patience:
    """Keeps the best weights and tells when to stop."""

    def __init__(self, rounds, direction="min", min_delta=0.0):
        self.rounds = rounds
        self.sign = 1.0 if direction == "min" else -1.0
        self.min_delta = min_delta
        self.best = math.inf
        self.waited = 0
        self.weights = None

    def update(self, value, model):
        v = self.sign * value
        if v < self.best - self.min_delta:
            self.best, self.waited = v, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.waited += 1
        return self.waited >= self.rounds

    def restore(self, model):
        model.load_state_dict(self.weights)
