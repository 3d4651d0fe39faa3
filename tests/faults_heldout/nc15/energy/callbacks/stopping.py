from .base import Callback


class EarlyStopping(Callback):
    def __init__(self, monitor="val_loss", patience=10, min_delta=0.0):
        self.monitor, self.patience, self.min_delta = monitor, patience, min_delta
        self.best = float("inf")
        self.bad_epochs = 0

    def on_epoch_end(self, trainer, metrics):
        current = metrics[self.monitor]
        if current < self.best - self.min_delta:
            self.best = current
            self.bad_epochs = 0
        else:
            self.bad_epochs += 1
        if self.bad_epochs > self.patience:
            trainer.should_stop = True
