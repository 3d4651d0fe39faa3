import copy


class EarlyStopping:
    """Keeps the best weights and says when to stop."""

    def __init__(self, patience=8, mode="min", min_delta=0.0):
        self.patience = patience
        self.sign = 1.0 if mode == "max" else -1.0
        self.min_delta = min_delta
        self.best = None
        self.best_state = None
        self.bad_epochs = 0

    def update(self, value, model):
        score = self.sign * value
        if self.best is None or score > self.best + self.min_delta:
            self.best = score
            self.best_state = copy.deepcopy(model.state_dict())
            self.bad_epochs = 0
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience
