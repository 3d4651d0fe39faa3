from lightning import Callback


class History(Callback):
    def __init__(self):
        self.rows = []

    def on_train_epoch_end(self, trainer, module):
        m = {k: v.item() for k, v in trainer.callback_metrics.items()}
        self.rows.append(m)
        print(
            f"epoch {len(self.rows):2d}: train {m['train_loss']:.4f}"
            f" | val {m['val_loss']:.4f} read rate {m['val_acc']:.3f}"
        )
