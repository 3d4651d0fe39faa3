import torch
from torch.nn.functional import mse_loss


class Tuner:
    def __init__(self, net, lr, momentum, dtype):
        self.dtype = getattr(torch, dtype)
        self.net = net.to(self.dtype)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=momentum)

    def step(self, x, y):
        self.net.train()
        loss = mse_loss(self.net(x.to(self.dtype)).float(), y)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def r2(self, x, y):
        self.net.eval()
        pred = self.net(x.to(self.dtype)).float()
        return 1 - (mse_loss(pred, y) / y.var(correction=0)).item()
