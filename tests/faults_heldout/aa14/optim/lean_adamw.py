import torch
from torch.optim import Optimizer


class LeanAdamW(Optimizer):
    """AdamW with compact moment buffers, so that both moments need the memory of one."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

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
                    st["t"] = 0
                    st["m"] = torch.zeros_like(p, dtype=torch.bfloat16)
                    st["v"] = torch.zeros_like(p, dtype=torch.float16)
                st["t"] += 1
                g = p.grad
                m = st["m"].to(g.dtype).lerp_(g, 1 - b1)
                v = st["v"].to(g.dtype).mul_(b2).addcmul_(g, g, value=1 - b2)
                st["m"].copy_(m)
                st["v"].copy_(v)
                m_hat = st["m"].to(g.dtype) / (1 - b1 ** st["t"])
                v_hat = st["v"].to(g.dtype) / (1 - b2 ** st["t"])
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.addcdiv_(m_hat, v_hat.sqrt().add_(group["eps"]), value=-group["lr"])
        return loss
