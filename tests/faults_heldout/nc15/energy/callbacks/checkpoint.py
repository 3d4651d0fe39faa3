import copy

from .base import Callback


class ModelCheckpoint(Callback):
    def __init__(self, monitor):
        self.monitor = monitor
        self.best = float("inf")
        self.state = None

    def on_epoch_end(self, trainer, metrics):
        if metrics[self.monitor] < self.best:
            self.best = metrics[self.monitor]
            self.state = copy.deepcopy(trainer.model.state_dict())

    def on_train_end(self, trainer):
        trainer.model.load_state_dict(self.state)
