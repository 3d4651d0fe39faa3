import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from tickets import collate


class Trainer:
    def __init__(self, model, cfg, train_set, val_set):
        self.model = model
        self.cfg = cfg
        self.train_loader = DataLoader(train_set, cfg.batch_size, shuffle=True, collate_fn=collate)
        self.val_loader = DataLoader(val_set, 128, collate_fn=collate)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)

    def train_epoch(self):
        self.model.train()
        self.optimizer.zero_grad()
        running, seen = 0.0, 0
        for i, (ids, offsets, y) in enumerate(self.train_loader):
            loss = F.cross_entropy(self.model(ids, offsets), y)
            (loss / self.cfg.accum_steps).backward()
            if (i + 1) % self.cfg.accum_steps == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
            running += loss.item() * len(y)
            seen += len(y)
        return running / seen

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        correct = total = 0
        for ids, offsets, y in self.val_loader:
            correct += (self.model(ids, offsets).argmax(-1) == y).sum().item()
            total += len(y)
        return correct / total

    def fit(self):
        for epoch in range(self.cfg.epochs):
            loss = self.train_epoch()
            if epoch % 5 == 4:
                print(f"[{epoch + 1:02d}/{self.cfg.epochs}] loss={loss:.4f} val_acc={self.validate():.3f}")
