import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, train_data, test_data, *, lr, epochs, batch):
        self.model = model
        self.epochs = epochs
        self.train_dl = DataLoader(train_data, batch_size=batch, shuffle=True, drop_last=True)
        self.test_dl = DataLoader(test_data, batch_size=256)
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.opt, max_lr=lr, total_steps=epochs * len(self.train_dl))

    def step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.sched.step()
        return loss.item()

    @torch.no_grad()
    def test(self):
        self.model.eval()
        loss = correct = count = 0
        for x, y in self.test_dl:
            out = self.model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            correct += (out.argmax(1) == y).sum().item()
            count += len(y)
        return loss / count, correct / count

    def run(self):
        for epoch in range(self.epochs):
            self.model.train()
            losses = [self.step(x, y) for x, y in self.train_dl]
            loss, acc = self.test()
            print(f"{epoch + 1:>3} train_loss={sum(losses) / len(losses):.4f} "
                  f"test_loss={loss:.4f} test_acc={acc:.3f}")
