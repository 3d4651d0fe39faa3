import copy


class Callback:
    stop = False

    def on_epoch_end(self, epoch, model, logs):
        pass

    def on_train_end(self, model):
        pass


class Printer(Callback):
    def __init__(self, every=1):
        self.every = every

    def on_epoch_end(self, epoch, model, logs):
        if epoch % self.every == 0:
            print(f"{epoch:3d} " + "  ".join(f"{k} {v:.4f}" for k, v in logs.items()))


class EarlyStopping(Callback):
    """Stops when `monitor` has not improved for `patience` epochs and puts the best weights back."""

    def __init__(self, monitor, mode="min", patience=8, min_delta=0.0):
        if mode not in ("min", "max"):
            raise ValueError(mode)
        self.monitor, self.patience = monitor, patience
        self.sign = 1.0 if mode == "max" else -1.0
        self.min_delta = min_delta
        self.best, self.best_epoch, self.weights = None, 0, None

    def on_epoch_end(self, epoch, model, logs):
        value = self.sign * logs[self.monitor]
        if self.best is None or value > self.best + self.min_delta:
            self.best, self.best_epoch = value, epoch
            self.weights = copy.deepcopy(model.state_dict())
        elif epoch - self.best_epoch >= self.patience:
            self.stop = True

    def on_train_end(self, model):
        model.load_state_dict(self.weights)
        print(f"weights of epoch {self.best_epoch} ({self.monitor} {self.sign * self.best:.4f})")
