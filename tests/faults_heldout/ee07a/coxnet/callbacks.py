import copy
import operator


class Callback:
    def on_epoch_end(self, engine, logs):
        pass

    def on_fit_end(self, engine):
        pass


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, engine, logs):
        if logs["epoch"] % self.every == 0:
            print("  ".join(f"{k} {v:.4f}" if isinstance(v, float) else f"{k} {v:3d}" for k, v in logs.items()))


class EarlyStop(Callback):
    _better = {"min": operator.lt, "max": operator.gt}

    def __init__(self, monitor, mode, patience):
        self.monitor, self.better, self.patience = monitor, self._better[mode], patience
        self.best, self.best_epoch, self.weights = None, 0, None

    def on_epoch_end(self, engine, logs):
        value = logs[self.monitor]
        if self.best is None or self.better(value, self.best):
            self.best, self.best_epoch = value, logs["epoch"]
            self.weights = copy.deepcopy(engine.net.state_dict())
        elif logs["epoch"] - self.best_epoch >= self.patience:
            engine.stop = True

    def on_fit_end(self, engine):
        engine.net.load_state_dict(self.weights)
        print(f"restored epoch {self.best_epoch} ({self.monitor} = {self.best:.4f})")
