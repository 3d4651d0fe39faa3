import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, net, optim_cfg):
        self.net = net
        self.epochs = optim_cfg.getint("epochs")
        self.batch_size = optim_cfg.getint("batch_size")
        self.max_norm = optim_cfg.getfloat("max_norm")
        self.loss_fn = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(
            net.parameters(),
            lr=optim_cfg.getfloat("lr"),
            momentum=optim_cfg.getfloat("momentum"),
            weight_decay=optim_cfg.getfloat("weight_decay"),
        )
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, self.epochs)

    def fit(self, train, test):
        loader = DataLoader(train, batch_size=self.batch_size, shuffle=True)
        for epoch in range(1, self.epochs + 1):
            self.net.train()
            total = 0.0
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.net(x), y)
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
                self.optimizer.step()
                total += loss.item() * len(x)
            self.scheduler.step()
            test_loss, acc = self.score(test)
            print(f"[{epoch:02d}/{self.epochs}] train {total / len(train):.4f} test {test_loss:.4f} acc {acc:.4f}")

    @torch.no_grad()
    def score(self, data):
        self.net.eval()
        loss, hits = 0.0, 0
        for x, y in DataLoader(data, batch_size=256):
            out = self.net(x)
            loss += self.loss_fn(out, y).item() * len(x)
            hits += (out.argmax(1) == y).sum().item()
        return loss / len(data), hits / len(data)
