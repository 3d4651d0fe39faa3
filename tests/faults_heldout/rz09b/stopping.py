import copy


class EarlyStopping:
    def __init__(self, monitor, mode, patience, min_delta=0.0):
        assert mode in ("min", "max")
        self.monitor, self.patience, self.min_delta = monitor, patience, min_delta
        self.sign = 1.0 if mode == "max" else -1.0
        self.best, self.bad, self.state, self.epoch = None, 0, None, 0

    def update(self, epoch, scores, model):
        value = self.sign * scores[self.monitor]
        if self.best is None or value > self.best + self.min_delta:
            self.best, self.bad, self.epoch = value, 0, epoch
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience
