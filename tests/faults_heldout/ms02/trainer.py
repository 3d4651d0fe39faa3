import torch
from torch import nn


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr, epochs):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.epochs = epochs
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-3)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, epochs)
        self.n_samples = len(train_loader.dataset)
        self.history = []

    def run_epoch(self, loader, training):
        self.model.train(training)
        loss_sum, correct = 0.0, 0
        with torch.set_grad_enabled(training):
            for words, offsets, y in loader:
                logits = self.model(words, offsets)
                loss = self.criterion(logits, y)
                if training:
                    self.optimizer.zero_grad()
                    loss.backward()
                    self.optimizer.step()
                loss_sum += loss.item() * len(y)
                correct += (logits.argmax(1) == y).sum().item()
        return loss_sum / self.n_samples, correct / self.n_samples

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            train_loss, train_acc = self.run_epoch(self.train_loader, True)
            val_loss, val_acc = self.run_epoch(self.val_loader, False)
            self.scheduler.step()
            self.history.append({"epoch": epoch, "train_loss": train_loss, "train_acc": train_acc,
                                 "val_loss": val_loss, "val_acc": val_acc})
            print(f"[{epoch:02d}/{self.epochs}] loss {train_loss:.4f} acc {train_acc:.3f} | "
                  f"val_loss {val_loss:.4f} val_acc {val_acc:.3f}")
        return self.history
