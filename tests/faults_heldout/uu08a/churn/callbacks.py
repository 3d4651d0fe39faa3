import copy
import operator


class Callback:
    def on_epoch_end(self, trainer, logs):
        pass

    def on_train_end(self, trainer):
        pass


class Log(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, trainer, logs):
        if logs["epoch"] % self.every == 0:
            print("  ".join(f"{k} {v:.4f}" if isinstance(v, float) else f"{k} {v:3d}" for k, v in logs.items()))


class KeepBest(Callback):
    """Ends the run when `monitor` got no better for `patience` epochs and goes back to the best weights."""

    def __init__(self, monitor, mode, patience):
        self.monitor = monitor
        self.better = {"min": operator.lt, "max": operator.gt}[mode]
        self.patience = patience
        self.best = None
        self.waited = 0

    def on_epoch_end(self, trainer, logs):
        value = logs[self.monitor]
        if self.best is None or self.better(value, self.best):
            self.best, self.waited = value, 0
            self.weights = copy.deepcopy(trainer.model.state_dict())
            self.epoch = logs["epoch"]
        else:
            self.waited += 1
            trainer.stop = self.waited >= self.patience

    def on_train_end(self, trainer):
        trainer.model.load_state_dict(self.weights)
        print(f"kept the weights of epoch {self.epoch}")
