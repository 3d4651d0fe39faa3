from .base import Callback


class Printer(Callback):
    def __init__(self, every=1):
        self.every = every

    def on_epoch_end(self, trainer, metrics):
        if trainer.epoch % self.every == 0 or trainer.should_stop:
            print(f"epoch {trainer.epoch:3d}/{trainer.max_epochs}  " +
                  "  ".join(f"{k}: {v:.4f}" for k, v in metrics.items()))
