import torch
import torch.nn.functional as F


def auc(score, label):
    order = score.argsort()
    rank = torch.empty_like(score)
    rank[order] = torch.arange(1, len(score) + 1, dtype=score.dtype)
    pos = label.sum()
    return ((rank[label > 0].sum() - pos * (pos + 1) / 2) / (pos * (len(label) - pos))).item()


class Trainer:
    def __init__(self, model, optimizer, callbacks, batch_size):
        self.model, self.optimizer = model, optimizer
        self.callbacks, self.batch_size = callbacks, batch_size
        self.stop = False

    def evaluate(self, codes, numbers, left):
        self.model.eval()
        with torch.no_grad():
            z = self.model(codes, numbers)
        return F.binary_cross_entropy_with_logits(z, left).item(), auc(z.double(), left)

    def fit(self, train, valid, epochs):
        codes, numbers, left = train
        for epoch in range(1, epochs + 1):
            self.model.train()
            total = 0.0
            for rows in torch.randperm(len(left)).split(self.batch_size):
                loss = F.binary_cross_entropy_with_logits(self.model(codes[rows], numbers[rows]), left[rows])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(rows)
            val_loss, val_auc = self.evaluate(*valid)
            logs = {"epoch": epoch, "loss": total / len(left), "val_loss": val_loss, "val_auc": val_auc}
            for callback in self.callbacks:
                callback.on_epoch_end(self, logs)
            if self.stop:
                break
        for callback in self.callbacks:
            callback.on_train_end(self)
