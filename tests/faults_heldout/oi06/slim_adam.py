import torch
from torch.optim import Optimizer


class SlimAdam(Optimizer):
    """AdamW that keeps its two moments in a storage dtype of choice; the arithmetic runs in the dtype of the parameter."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, state_dtype=torch.float32):
        super().__init__(params, dict(lr=lr, betas=tuple(betas), eps=eps, weight_decay=weight_decay))
        self.state_dtype = state_dtype

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["step"] = 0
                    st["m"] = torch.zeros_like(p, dtype=self.state_dtype)
                    st["v"] = torch.zeros_like(p, dtype=self.state_dtype)
                st["step"] += 1
                m = st["m"].to(p.dtype).mul_(b1).add_(p.grad, alpha=1 - b1)
                v = st["v"].to(p.dtype).mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                st["m"].copy_(m)
                st["v"].copy_(v)
                m_hat = st["m"].to(p.dtype) / (1 - b1 ** st["step"])
                v_hat = st["v"].to(p.dtype) / (1 - b2 ** st["step"])
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.addcdiv_(m_hat, v_hat.sqrt().add_(group["eps"]), value=-group["lr"])
        return loss
