import torch
from torch.utils.data import DataLoader, TensorDataset

from .hazard import concordance, hazard_nll
from .monitor import GradMonitor


class Fitter:
    def __init__(self, net, lr, weight_decay, batch_size):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=weight_decay)
        self.monitor = GradMonitor(net)
        self.batch_size = batch_size

    def epoch(self, part):
        self.net.train()
        ds = TensorDataset(part["x"], part["bin"], part["event"])
        total, seen = 0.0, 0
        for x, b, e in DataLoader(ds, batch_size=self.batch_size, shuffle=True):
            self.opt.zero_grad()
            loss = hazard_nll(self.net(x), b, e)
            loss.backward()
            self.monitor.collect()
            self.opt.step()
            total += loss.item() * len(x)
            seen += len(x)
        return total / seen

    @torch.no_grad()
    def evaluate(self, part):
        self.net.eval()
        nll = hazard_nll(self.net(part["x"]), part["bin"], part["event"]).item()
        return nll, concordance(self.net.risk(part["x"]), part["months"], part["event"])
