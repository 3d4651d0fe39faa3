import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score


class Net(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
                                    nn.Linear(hidden, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)


class Engine:
    def __init__(self, model, optimizer, callbacks=()):
        self.model, self.optimizer, self.callbacks = model, optimizer, list(callbacks)
        self.criterion = nn.BCEWithLogitsLoss()

    @torch.no_grad()
    def score(self, x, y):
        self.model.eval()
        z = self.model(x)
        return self.criterion(z, y).item(), float(roc_auc_score(y.numpy(), z.numpy()))

    def run(self, train, val, epochs, batch_size):
        x, y = train
        for epoch in range(1, epochs + 1):
            self.model.train()
            total = 0.0
            for idx in torch.randperm(len(y)).split(batch_size):
                loss = self.criterion(self.model(x[idx]), y[idx])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(idx)
            val_loss, val_auc = self.score(*val)
            logs = {"loss": total / len(y), "val_loss": val_loss, "val_auc": val_auc}
            for cb in self.callbacks:
                cb.on_epoch_end(epoch, self.model, logs)
            if any(cb.stop for cb in self.callbacks):
                print("stopped after epoch", epoch)
                break
        for cb in self.callbacks:
            cb.on_train_end(self.model)
