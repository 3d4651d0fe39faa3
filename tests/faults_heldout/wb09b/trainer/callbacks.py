import copy
import math


class EarlyStop:
    """Ends the run after `patience` epochs without progress of the monitored value."""

    def __init__(self, monitor, mode, patience, min_delta=0.0):
        if mode not in ("min", "max"):
            raise ValueError(f"mode must be 'min' or 'max', not {mode!r}")
        self.monitor = monitor
        self.sign = 1.0 if mode == "max" else -1.0
        self.patience = patience
        self.min_delta = min_delta
        self.best = -math.inf
        self.waited = 0

    def update(self, logs):
        value = self.sign * logs[self.monitor]
        improved = value > self.best + self.min_delta
        if improved:
            self.best = value
            self.waited = 0
        else:
            self.waited += 1
        return improved

    @property
    def should_stop(self):
        return self.waited >= self.patience


class BestWeights:
    def __init__(self):
        self.state, self.epoch = None, 0

    def keep(self, model, epoch):
        self.state = copy.deepcopy(model.state_dict())
        self.epoch = epoch

    def restore(self, model):
        if self.state is not None:
            model.load_state_dict(self.state)
