import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, lr, epochs, log=print):
        self.model, self.epochs, self.log = model, epochs, log
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-3)

    def fit(self, train, test):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            seen, acc_loss = 0, 0.0
            for x, y in train:
                loss = F.cross_entropy(self.model(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                acc_loss += float(loss.detach()) * len(y)
                seen += len(y)
            self.log(f"[{epoch}/{self.epochs}] loss={acc_loss / seen:.4f} test_acc={self.score(test):.4f}")

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()
        right = [(self.model(x).argmax(1) == y).float() for x, y in loader]
        return torch.cat(right).mean().item()
