import math

from torch.optim.lr_scheduler import LambdaLR


class Callback:
    def on_fit_start(self, engine): ...
    def on_batch_end(self, engine): ...
    def on_epoch_end(self, engine): ...


class WarmupCosine(Callback):
    """Linear warm-up over `warmup_frac` of the run, cosine to zero afterwards."""

    def __init__(self, warmup_frac=0.15):
        self.warmup_frac = warmup_frac

    def on_fit_start(self, engine):
        total = engine.epochs * len(engine.train_loader)
        warm = max(1, int(total * self.warmup_frac))

        def scale(k):
            if k < warm:
                return (k + 1) / warm
            return 0.5 * (1 + math.cos(math.pi * (k - warm) / max(1, total - warm)))

        self.sched = LambdaLR(engine.optimizer, scale)

    def on_epoch_end(self, engine):
        self.sched.step()


class Printer(Callback):
    def on_epoch_end(self, engine):
        h = engine.history[-1]
        print("epoch {epoch:>2} | loss {loss:.4f} | val acc {acc:.4f}".format(**h))
