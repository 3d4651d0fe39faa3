import torch


class Callback:
    def on_epoch_begin(self, loop): ...

    def on_batch_begin(self, loop): ...

    def on_batch_end(self, loop): ...

    def on_epoch_end(self, loop): ...


class GradientClipping(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def on_batch_end(self, loop):
        torch.nn.utils.clip_grad_norm_(loop.model.parameters(), self.max_norm)


class Progress(Callback):
    def on_epoch_begin(self, loop):
        self.losses = []

    def on_batch_end(self, loop):
        self.losses.append(loop.last_loss)

    def on_epoch_end(self, loop):
        mean = sum(self.losses) / len(self.losses)
        print(f"epoch {loop.epoch:2d} loss {mean:.3f} max {max(self.losses):.3f} test acc {loop.evaluate():.3f}")
