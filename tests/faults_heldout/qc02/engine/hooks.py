import torch


class Hook:
    def before_run(self, runner): pass
    def before_epoch(self, runner): pass
    def before_step(self, runner): pass
    def after_step(self, runner): pass
    def after_epoch(self, runner): pass
    def after_run(self, runner): pass


class OptimizerHook(Hook):
    """Clips and applies the gradients that the runner has computed."""

    def __init__(self, max_norm=None):
        self.max_norm = max_norm

    def before_step(self, runner):
        runner.optimizer.zero_grad(set_to_none=True)

    def after_iter(self, runner):
        if self.max_norm is not None:
            torch.nn.utils.clip_grad_norm_(runner.model.parameters(), self.max_norm)
        runner.optimizer.step()


class LogHook(Hook):
    def before_epoch(self, runner):
        self.losses = []

    def after_step(self, runner):
        self.losses.append(runner.outputs["loss"].item())

    def after_epoch(self, runner):
        acc = runner.evaluate()
        mean = sum(self.losses) / len(self.losses)
        print(f"[{runner.epoch + 1}/{runner.max_epochs}] loss={mean:.4f} val_acc={acc:.4f}")
