import torch
from torch import nn


class Trainer:
    def __init__(self, model, cfg, classes):
        self.model = model
        self.classes = classes
        self.epochs = cfg["epochs"]
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"],
                                         weight_decay=cfg["weight_decay"], nesterov=True)
        self.scheduler = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, cfg["milestones"], cfg["gamma"])

    def training_step(self, x, y):
        loss = self.criterion(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        return loss.detach()

    @torch.no_grad()
    def confusion(self, loader):
        k = len(self.classes)
        table = torch.zeros(k, k)
        self.model.eval()
        for x, y in loader:
            pred = self.model(x).argmax(1)
            table += torch.bincount(y * k + pred, minlength=k * k).view(k, k)
        return table

    def macro_f1(self, loader):
        t = self.confusion(loader)
        tp = t.diag()
        f1 = 2 * tp / (t.sum(0) + t.sum(1)).clamp(min=1)
        return f1.mean().item(), f1.tolist()

    def fit(self, train, test):
        for epoch in range(self.epochs):
            self.model.train()
            losses = torch.stack([self.training_step(x, y) for x, y in train])
            f1, per_class = self.macro_f1(test)
            detail = " ".join(f"{c}={v:.2f}" for c, v in zip(self.classes, per_class))
            print(f"epoch {epoch:2d} | loss {losses.mean():.4f} | macro-F1 {f1:.3f} ({detail})")
