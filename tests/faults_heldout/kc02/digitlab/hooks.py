class Hook:
    def on_fit_start(self, loop): ...
    def on_batch_start(self, loop): ...
    def on_after_backward(self, loop): ...
    def on_batch_end(self, loop): ...
    def on_epoch_end(self, loop): ...


class GradHygiene(Hook):
    """Owns the gradient buffers, so the loop itself does not have to."""

    def on_fit_start(self, loop):
        loop.optimizer.zero_grad(set_to_none=True)

    def on_after_backward(self, loop):
        loop.optimizer.zero_grad(set_to_none=False)


class GradNorm(Hook):
    def __init__(self, every):
        self.every = every
        self.last = 0.0

    def on_after_backward(self, loop):
        if loop.step % self.every == 0:
            sq = sum(float(p.grad.pow(2).sum()) for p in loop.model.parameters() if p.grad is not None)
            self.last = sq ** 0.5


class Printer(Hook):
    def on_epoch_end(self, loop):
        m = loop.metrics
        gn = next((h.last for h in loop.hooks if isinstance(h, GradNorm)), 0.0)
        print(f"[{loop.epoch:02d}] loss={m['train_loss']:.4f} val_loss={m['val_loss']:.4f} "
              f"val_acc={m['val_acc']:.4f} |g|={gn:.3f}")
