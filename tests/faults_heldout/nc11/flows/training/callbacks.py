import copy

import torch


class EarlyStopping:
    def __init__(self, monitor, mode, patience, min_delta):
        self.monitor, self.patience, self.min_delta = monitor, patience, min_delta
        self.sign = 1.0 if mode == "min" else -1.0
        self.best, self.wait = float("inf"), 0

    def epoch_end(self, trainer, logs):
        value = self.sign * logs[self.monitor]
        if value < self.best - self.min_delta:
            self.best, self.wait = value, 0
            return
        self.wait += 1
        if self.wait >= self.patience:
            trainer.stop = True
            print(f"stopping after epoch {logs['epoch']}: {self.monitor} has not improved for {self.wait} epochs")


class KeepBest:
    def __init__(self, monitor):
        self.monitor, self.best, self.state = monitor, float("inf"), None

    def epoch_end(self, trainer, logs):
        if logs[self.monitor] < self.best:
            self.best = logs[self.monitor]
            self.state = copy.deepcopy(trainer.flow.state_dict())

    def fit_end(self, trainer):
        trainer.flow.load_state_dict(self.state)
        print(f"restored weights with {self.monitor} {self.best:.4f}")


class ReduceLR:
    def __init__(self, factor, patience):
        self.kwargs = {"factor": factor, "patience": patience}
        self.scheduler = None

    def epoch_end(self, trainer, logs):
        if self.scheduler is None:
            self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(trainer.optimizer, **self.kwargs)
        self.scheduler.step(logs["val_nll"])


def build_callbacks(cfg):
    kinds = {"early_stopping": EarlyStopping, "keep_best": KeepBest, "reduce_lr": ReduceLR}
    return [kinds[name](**kwargs) for name, kwargs in cfg.items()]
