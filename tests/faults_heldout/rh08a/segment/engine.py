import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


class Engine:
    def __init__(self, net, recipe):
        self.net = net
        o = recipe["optimizer"]
        self.optim = torch.optim.Adam(net.parameters(), lr=o["lr"], betas=tuple(o["betas"]),
                                      eps=o["eps"], weight_decay=o["weight_decay"])
        self.epochs = recipe["schedule"]["epochs"]
        self.decay = torch.optim.lr_scheduler.MultiStepLR(
            self.optim, recipe["schedule"]["milestones"], gamma=0.3)

    def epoch(self, loader):
        self.net.train()
        seen = loss_sum = 0
        for x, y in loader:
            loss = F.binary_cross_entropy_with_logits(self.net(x), y)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            loss_sum += loss.item() * len(x)
            seen += len(x)
        self.decay.step()
        return loss_sum / seen

    @torch.no_grad()
    def dice(self, loader):
        self.net.eval()
        inter = area = bce = n = 0.0
        for x, y in loader:
            z = self.net(x)
            p = (z > 0).float()
            inter += 2 * (p * y).sum().item()
            area += (p.sum() + y.sum()).item()
            bce += F.binary_cross_entropy_with_logits(z, y, reduction="sum").item()
            n += y.numel()
        return inter / max(area, 1.0), bce / n

    def fit(self, train, valid, batch):
        train_loader = DataLoader(train, batch, shuffle=True)
        valid_loader = DataLoader(valid, 64)
        for e in range(self.epochs):
            loss = self.epoch(train_loader)
            dice, bce = self.dice(valid_loader)
            print(f"epoch {e}: bce {loss:.4f} | valid bce {bce:.4f} dice {dice:.3f}")
