import lightning as L


class EpochPrinter(L.Callback):
    def __init__(self, every=1):
        self.every = every

    def on_train_epoch_end(self, trainer, pl_module):
        if (trainer.current_epoch + 1) % self.every:
            return
        m = trainer.callback_metrics
        print(
            f"[{trainer.current_epoch + 1:3d}] "
            f"train {m['train_loss']:.3f}/{m['train_acc']:.3f}  "
            f"val {m['val_loss']:.3f}/{m['val_acc']:.3f}"
        )
