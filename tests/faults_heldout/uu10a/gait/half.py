"""Half precision with a fixed loss scale, as on the watch toolchain."""
import torch


class FixedScale:
    def __init__(self, scale):
        self.scale = scale

    def backward(self, loss):
        (loss * self.scale).backward()

    def step(self, optimizer):
        grads = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        torch._foreach_div_(grads, self.scale)
        if all(torch.isfinite(g).all() for g in grads):
            optimizer.step()
        optimizer.zero_grad()
