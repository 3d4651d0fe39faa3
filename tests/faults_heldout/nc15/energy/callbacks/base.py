class Callback:
    def on_epoch_end(self, trainer, metrics):
        """Called after validation."""

    def on_train_end(self, trainer):
        """Called once."""
