import copy

import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader

from churn.features import load
from churn.network import ChurnNet


class EarlyStopping:
    """Keeps the weights of the lowest validation loss and says when to give up."""

    def __init__(self, patience=6, min_delta=1e-4):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.left, self.state = float("inf"), patience, None

    def update(self, value, model):
        if value < self.best - self.min_delta:
            self.best, self.left = value, self.patience
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.left -= 1
        return self.left <= 0


@torch.no_grad()
def score(model, loader):
    model.eval()
    logits, ys = [], []
    for cat, num, y in loader:
        logits.append(model(cat, num))
        ys.append(y)
    logits, ys = torch.cat(logits), torch.cat(ys)
    return F.binary_cross_entropy_with_logits(logits, ys).item(), roc_auc_score(ys.numpy(), logits.numpy())


def main():
    torch.manual_seed(1)
    enc, train, val, test = load()
    train_loader = DataLoader(train, batch_size=64, shuffle=True)
    monitor_loader = DataLoader(train, batch_size=512)
    val_loader, test_loader = DataLoader(val, batch_size=512), DataLoader(test, batch_size=512)
    model = ChurnNet(enc.sizes, train.num.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
    stopper = EarlyStopping()

    for epoch in range(60):
        model.train()
        for cat, num, y in train_loader:
            loss = F.binary_cross_entropy_with_logits(model(cat, num), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        train_loss, train_auc = score(model, monitor_loader)
        val_loss, val_auc = score(model, val_loader)
        print(f"epoch {epoch:2d} train {train_loss:.4f}/{train_auc:.3f} val {val_loss:.4f}/{val_auc:.3f}")
        if stopper.update(val_loss, model):
            print(f"no improvement for {stopper.patience} epochs, stopping")
            break

    model.load_state_dict(stopper.state)
    print("test loss %.4f auc %.3f" % score(model, test_loader))


if __name__ == "__main__":
    main()
