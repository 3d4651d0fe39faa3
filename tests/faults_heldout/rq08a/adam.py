import torch
from torch.optim import Optimizer

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


class SlimAdamW(Optimizer):
    """AdamW whose moments can be kept in a storage type of their own."""

    def __init__(self, params, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, moments="float32"):
        super().__init__(params, dict(lr=lr, betas=tuple(betas), eps=eps, weight_decay=weight_decay))
        self.dtype = DTYPES[moments]

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                s = self.state[p]
                if not s:
                    s["n"] = 0
                    s["m"] = torch.zeros_like(p, dtype=self.dtype)
                    s["v"] = torch.zeros_like(p, dtype=self.dtype)
                s["n"] += 1
                m, v = s["m"].float(), s["v"].float()
                m.mul_(b1).add_(p.grad, alpha=1 - b1)
                v.mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                s["m"].copy_(m)
                s["v"].copy_(v)
                m = s["m"].float() / (1 - b1 ** s["n"])
                v = s["v"].float() / (1 - b2 ** s["n"])
                p.mul_(1 - g["lr"] * g["weight_decay"])
                p.addcdiv_(m, v.sqrt_().add_(g["eps"]), value=-g["lr"])
        return loss
