import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from seg.data import load
from seg.unet import UNet

EPOCHS = 14


def dice_loss(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    size = p.sum((1, 2, 3)) + mask.sum((1, 2, 3))
    return (1 - (2 * inter + 1) / (size + 1)).mean()


def criterion(logits, mask):
    return F.binary_cross_entropy_with_logits(logits, mask) + dice_loss(logits, mask)


class Trainer:
    def __init__(self, model, train, val, lr):
        self.model, self.val = model, DataLoader(val, batch_size=64)
        self.train = DataLoader(train, batch_size=16, shuffle=True, drop_last=True)
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, lr, total_steps=EPOCHS * len(self.train))

    def fit(self):
        for epoch in range(EPOCHS):
            self.model.train()
            running = 0.0
            for x, m in self.train:
                self.opt.zero_grad()
                loss = criterion(self.model(x), m)
                loss.backward()
                self.opt.step()
                self.sched.step()
                running += loss.item()
            val_loss, iou = self.score(self.val)
            print(f"[{epoch + 1:02d}/{EPOCHS}] loss {running / len(self.train):.3f} val {val_loss:.3f} IoU {iou:.3f}")

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()
        loss, inter, union, n = 0.0, 0.0, 0.0, 0
        for x, m in loader:
            z = self.model(x)
            loss += criterion(z, m).item() * len(x)
            n += len(x)
            hit = z > 0
            inter += (hit & (m > 0)).sum().item()
            union += (hit | (m > 0)).sum().item()
        return loss / n, inter / union


if __name__ == "__main__":
    torch.manual_seed(21)
    train, val, test = load("cells.npz", 60, 60)
    trainer = Trainer(UNet(), train, val, lr=5e-3)
    trainer.fit()
    loss, iou = trainer.score(DataLoader(test, batch_size=60))
    share = test.masks.mean()
    print(f"test loss {loss:.3f} IoU {iou:.3f} (everything marked: {share:.3f})")
