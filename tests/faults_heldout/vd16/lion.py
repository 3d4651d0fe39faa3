import torch


class Lion:
    """Sign-momentum optimizer with decoupled weight decay."""

    def __init__(self, params, lr=3e-4, betas=(0.9, 0.99), weight_decay=0.0):
        self.params = [p for p in params if p.requires_grad]
        self.lr, self.betas, self.weight_decay = lr, betas, weight_decay
        self.momentum = [torch.zeros_like(p) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for p, m in zip(self.params, self.momentum):
            if p.grad is None:
                continue
            update = torch.sign(b1 * m + (1 - b1) * p.grad)
            p.mul_(1 - self.lr * self.weight_decay)
            p.add_(update, alpha=-self.lr)
            m.mul_(b2).add_(p.grad, alpha=1 - b2)
