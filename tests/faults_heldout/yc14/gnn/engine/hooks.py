import torch


class Hook:
    def before_batch(self, engine, i):
        pass

    def before_backward(self, engine, i):
        pass

    def before_step(self, engine):
        pass

    def after_epoch(self, engine, epoch, stats):
        pass


class Accumulation(Hook):
    """One optimizer step for `every` micro-batches."""

    def __init__(self, every):
        self.every = every

    def before_batch(self, engine, i):
        engine.optimizer.zero_grad()

    def before_backward(self, engine, i):
        engine.loss = engine.loss / self.every
        engine.step_now = (i + 1) % self.every == 0


class GradientClip(Hook):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def before_step(self, engine):
        torch.nn.utils.clip_grad_norm_(engine.model.parameters(), self.max_norm)


class CosineDecay(Hook):
    def __init__(self, optimizer, epochs):
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)

    def after_epoch(self, engine, epoch, stats):
        self.sched.step()


class ConsoleLogger(Hook):
    def after_epoch(self, engine, epoch, stats):
        print(f"epoch {epoch:3d} " + " ".join(f"{k} {v:.4f}" for k, v in stats.items()), flush=True)
