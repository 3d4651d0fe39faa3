import torch


class AccumulatingStepper:
    """Sums scaled micro-batch gradients and steps every `every` calls."""

    def __init__(self, model, cfg, micro_steps, after_step=()):
        self.model, self.every, self.clip = model, cfg["accumulate"], cfg["clip"]
        self.after_step = after_step
        decay = [p for p in model.parameters() if p.ndim > 1]
        rest = [p for p in model.parameters() if p.ndim <= 1]
        self.opt = torch.optim.SGD([{"params": decay, "weight_decay": cfg["weight_decay"]},
                                    {"params": rest, "weight_decay": 0.0}],
                                   lr=cfg["peak_lr"], momentum=cfg["momentum"], nesterov=True)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.opt, cfg["peak_lr"], total_steps=micro_steps // self.every, pct_start=0.3, cycle_momentum=True)
        self.opt.zero_grad()
        self.pending = 0

    def __call__(self, loss):
        (loss / self.every).backward()
        self.pending += 1
        if self.pending < self.every:
            return
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.opt.step()
        self.opt.zero_grad()
        self.sched.step()
        self.pending = 0
        for hook in self.after_step:
            hook(self.model)
