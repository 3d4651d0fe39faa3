import copy


class Keeper:
    """Remembers the best weights and says when to give up."""

    def __init__(self, monitor, mode, patience):
        self.monitor, self.patience = monitor, patience
        self.sign = {"min": -1.0, "max": 1.0}[mode]
        self.best, self.state, self.stale = None, None, 0

    def update(self, report, model):
        value = self.sign * report[self.monitor]
        if self.best is None or value > self.best:
            self.best, self.stale = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.stale += 1
        return self.stale >= self.patience
