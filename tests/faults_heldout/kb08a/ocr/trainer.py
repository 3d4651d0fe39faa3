import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, net, train_set, val_set, batch_size, lr, epochs):
        self.net = net
        self.epochs = epochs
        self.train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True)
        self.val_loader = DataLoader(val_set, batch_size=512)
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=0.01)
        self.history = []

    def train_epoch(self):
        self.net.train()
        total = count = 0
        for images, labels in self.train_loader:
            self.optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(self.net(images), labels)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * labels.numel()
            count += labels.numel()
        return total / count

    @torch.inference_mode()
    def evaluate(self):
        self.net.eval()
        loss = right = count = 0
        for images, labels in self.val_loader:
            logits = self.net(images)
            loss += F.cross_entropy(logits, labels, reduction="sum").item()
            right += (logits.argmax(-1) == labels).sum().item()
            count += labels.numel()
        return loss / count, right / count

    def run(self):
        for epoch in range(self.epochs):
            train_loss = self.train_epoch()
            val_loss, val_acc = self.evaluate()
            self.history.append((train_loss, val_loss, val_acc))
            print(f"Epoch {epoch + 1}/{self.epochs} - loss: {train_loss:.4f} - val_loss: {val_loss:.4f} - val_acc: {val_acc:.4f}")
        return self.history
