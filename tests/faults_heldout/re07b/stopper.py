import copy


class BestKeeper:
    """Remembers the best state of a module and says when to give up."""

    def __init__(self, module, metric, mode, patience):
        assert mode in ("min", "max")
        self.module, self.metric, self.patience = module, metric, patience
        self.sign = 1.0 if mode == "max" else -1.0
        self.best, self.state, self.stale = None, None, 0

    def update(self, metrics):
        value = self.sign * metrics[self.metric]
        if self.best is None or value > self.best:
            self.best, self.stale = value, 0
            self.state = copy.deepcopy(self.module.state_dict())
        else:
            self.stale += 1
        return self.stale >= self.patience

    def restore(self):
        self.module.load_state_dict(self.state)
        return self.sign * self.best
