import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, net, cfg):
        self.cfg = cfg
        self.dtype = cfg.torch_dtype
        self.net = net.to(self.dtype)
        self.opt = torch.optim.AdamW(net.parameters(), lr=cfg.learning_rate, weight_decay=cfg.weight_decay)

    def predict(self, x):
        return self.net(x.to(self.dtype)).float()

    def epoch(self, data):
        x, y = data
        self.net.train()
        total = 0.0
        for ix in torch.randperm(len(x)).split(self.cfg.batch_size):
            loss = F.mse_loss(self.predict(x[ix]), y[ix])
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(ix)
        return total / len(x)

    @torch.no_grad()
    def rmse(self, data):
        x, y = data
        self.net.eval()
        se = sum(((self.predict(a) - b) ** 2).sum().item() for a, b in zip(x.split(512), y.split(512)))
        return (se / len(x)) ** 0.5
