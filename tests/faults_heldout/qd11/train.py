import numpy as np
import torch

from pumpnet.data import Pumps
from pumpnet.model import PumpNet, TaskUncertainty


class Trainer:
    def __init__(self, epochs=30, lr=2e-3, batch=64, seed=5):
        torch.manual_seed(seed)
        np.random.seed(seed)
        self.epochs, self.batch = epochs, batch
        self.data = Pumps("pumps.npz", seed)
        self.net, self.criterion = PumpNet(self.data.x.shape[1]), TaskUncertainty()
        self.opt = torch.optim.AdamW([
            {"params": self.net.parameters(), "weight_decay": 1e-2},
            {"params": self.criterion.parameters(), "weight_decay": 0.0, "lr": 5 * lr},
        ], lr=lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs)

    def epoch(self):
        self.net.train()
        losses = []
        for x, y in self.data.batches(self.batch):
            loss, _ = self.criterion(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        self.sched.step()
        return np.mean(losses)

    @torch.no_grad()
    def report(self, part):
        self.net.eval()
        x, (temp, vib, state) = self.data.get(self.data.index[part])
        t, v, s = self.net(x)
        r2 = lambda p, y: 1 - ((p - y) ** 2).mean().item() / y.var().item()
        return f"{part}: R2 temp {r2(t, temp):.3f} vib {r2(v, vib):.3f} state {(s.argmax(1) == state).float().mean().item():.3f}"

    def run(self):
        for e in range(self.epochs):
            loss = self.epoch()
            if e % 5 == 4:
                sigma = np.exp(self.criterion.log_var.detach().numpy() / 2).round(3)
                print(f"[{e + 1}] loss {loss:+.3f} sigma {sigma}  {self.report('train')}  {self.report('test')}")


if __name__ == "__main__":
    Trainer().run()
