"""Digit autoencoder trained with a memory-lean Adam (half-size moments)."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits


class LeanAdam(torch.optim.Optimizer):
    """Adam with compact moment buffers; the arithmetic is done in float32."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, state_dtype=torch.float16):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, state_dtype=state_dtype))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["t"] = 0
                    st["m"] = torch.zeros_like(p, dtype=g["state_dtype"])
                    st["v"] = torch.zeros_like(p, dtype=g["state_dtype"])
                st["t"] += 1
                m = st["m"].float().mul_(b1).add_(p.grad, alpha=1 - b1)
                v = st["v"].float().mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                st["m"].copy_(m)
                st["v"].copy_(v)
                m_hat = st["m"].float() / (1 - b1 ** st["t"])
                v_hat = st["v"].float() / (1 - b2 ** st["t"])
                p.add_(m_hat / (v_hat.sqrt() + g["eps"]), alpha=-g["lr"])


torch.manual_seed(27)
x = torch.tensor(load_digits().data, dtype=torch.float32) / 16
x = x[torch.randperm(len(x))]
train, held = x[:1440], x[1440:]
net = nn.Sequential(nn.Linear(64, 48), nn.ELU(), nn.Linear(48, 12), nn.Linear(12, 48), nn.ELU(), nn.Linear(48, 64))
opt = LeanAdam(net.parameters(), lr=2e-3)
for epoch in range(1, 21):
    for b in torch.randperm(len(train)).split(48):
        loss = nn.functional.mse_loss(net(train[b]), train[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 2 == 0:
        with torch.no_grad():
            print(f"epoch {epoch} loss {loss.item():.5f} held-out {nn.functional.mse_loss(net(held), held).item():.5f}")
