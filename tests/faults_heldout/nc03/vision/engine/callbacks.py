class Callback:
    def on_fit_start(self, trainer):
        pass

    def on_batch_end(self, trainer):
        pass

    def on_epoch_end(self, trainer, metrics):
        pass

    def on_fit_end(self, trainer):
        pass


class LRSchedulerCallback(Callback):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def on_batch_end(self, trainer):
        self.scheduler.step()


class BestScore(Callback):
    def __init__(self):
        self.best, self.epoch = 0.0, 0

    def on_epoch_end(self, trainer, metrics):
        if metrics["val_acc"] > self.best:
            self.best, self.epoch = metrics["val_acc"], trainer.epoch

    def on_fit_end(self, trainer):
        print(f"best val acc {self.best:.4f} in epoch {self.epoch}")


class Progress(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, trainer, metrics):
        if trainer.epoch % self.every == 0 or trainer.epoch == 1:
            print(f"[{trainer.epoch:3d}/{trainer.epochs}] " +
                  "  ".join(f"{k}={v:.4f}" for k, v in metrics.items()))


def build_callbacks(names, scheduler, log_every):
    available = {
        "lr_scheduler": lambda: LRSchedulerCallback(scheduler),
        "best_score": BestScore,
        "progress": lambda: Progress(log_every),
    }
    return [available[name]() for name in names]
