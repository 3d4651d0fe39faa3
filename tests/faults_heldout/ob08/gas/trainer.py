import torch
from torch import nn


def build_mlp(n_in, hidden, n_out, dropout):
    layers = []
    for width in hidden:
        layers += [nn.Linear(n_in, width), nn.ReLU(), nn.Dropout(dropout)]
        n_in = width
    layers.append(nn.Linear(n_in, n_out))
    return nn.Sequential(*layers)


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr, weight_decay, epochs):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.epochs = epochs
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)

    def train_epoch(self):
        self.model.train()
        loss_sum, hits, seen = 0.0, 0, 0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            out = self.model(x)
            loss = self.criterion(out, y)
            loss.backward()
            self.optimizer.step()
            loss_sum += loss.item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            seen += len(y)
        return loss_sum / seen, hits / seen

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss_sum, hits, seen = 0.0, 0, 0
        for x, y in self.val_loader:
            out = self.model(x)
            loss_sum += self.criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            seen += len(y)
        return loss_sum / seen, hits / seen

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            tl, ta = self.train_epoch()
            vl, va = self.validate()
            print(f"{epoch:3d}  train {tl:.4f}/{ta:.3f}  val {vl:.4f}/{va:.3f}")
