import torch
from torch import nn

from datamod import DataModule


class LitDigits(nn.Module):
    def __init__(self, lr):
        super().__init__()
        self.lr = lr
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3), nn.LeakyReLU(0.1),
            nn.Conv2d(16, 32, 3), nn.LeakyReLU(0.1),
            nn.Flatten(), nn.Linear(512, 10))

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self(x), y)

    def validation_step(self, batch):
        x, y = batch
        out = self(x)
        return nn.functional.cross_entropy(out, y, reduction="sum").item(), (out.argmax(1) == y).sum().item(), len(y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr, momentum=0.9)


def fit(module, data, max_epochs):
    opt = module.configure_optimizers()
    train, val = data.train_dataloader(), data.val_dataloader()
    for epoch in range(max_epochs):
        module.train()
        for batch in train:
            loss = module.training_step(batch)
            opt.zero_grad()
            loss.backward()
            opt.step()
        module.eval()
        with torch.no_grad():
            l, c, n = map(sum, zip(*[module.validation_step(b) for b in val]))
        print(f"epoch={epoch} train_loss={loss.item():.4f} val_loss={l / n:.4f} val_acc={c / n:.3f}")


if __name__ == "__main__":
    torch.manual_seed(1234)
    fit(LitDigits(lr=0.01), DataModule(batch_size=32), max_epochs=12)
