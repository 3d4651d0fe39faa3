import torch
from torch.nn.functional import cross_entropy

from .meters import Mean


class Trainer:
    def __init__(self, model, lr, epochs, steps_per_epoch):
        self.model = model
        self.epochs = epochs
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, epochs * steps_per_epoch)
        self.train_meters = {"loss": Mean(), "accuracy": Mean()}
        self.val_meters = {"loss": Mean(), "accuracy": Mean()}

    def _measure(self, meters, logits, target):
        loss = cross_entropy(logits, target)
        meters["loss"].update(loss.detach(), len(target))
        meters["accuracy"].update((logits.argmax(1) == target).float().mean(), len(target))
        return loss

    def train_epoch(self, loader):
        for meter in self.train_meters.values():
            meter.reset()
        self.model.train()
        for a, target in loader:
            loss = self._measure(self.train_meters, self.model(a), target)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        for a, target in loader:
            self._measure(self.val_meters, self.model(a), target)

    def fit(self, train_loader, val_loader):
        for epoch in range(1, self.epochs + 1):
            self.train_epoch(train_loader)
            self.validate(val_loader)
            t, v = self.train_meters, self.val_meters
            print(f"epoch {epoch:2d} | train loss {t['loss'].value:.4f} accuracy {t['accuracy'].value:.3f} "
                  f"| val loss {v['loss'].value:.4f} accuracy {v['accuracy'].value:.3f}")
