import copy


class Stopper:
    """keeps the best state of the module; `mode` says which direction of the score is better"""

    def __init__(self, module, mode="max", patience=12, min_delta=1e-3):
        self.module, self.sign = module, 1.0 if mode == "max" else -1.0
        self.patience, self.min_delta = patience, min_delta
        self.best, self.best_epoch, self.state, self.bad = -float("inf"), -1, None, 0

    def update(self, epoch, score):
        score = self.sign * score
        if score > self.best + self.min_delta:
            self.best, self.best_epoch, self.bad = score, epoch, 0
            self.state = copy.deepcopy(self.module.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience

    def restore(self):
        self.module.load_state_dict(self.state)
