import torch
import torch.nn.functional as F
from sklearn.metrics import accuracy_score, roc_auc_score


def batches(n, size):
    perm = torch.randperm(n)
    for start in range(0, n, size):
        yield perm[start:start + size]


def fit(model, optimizer, x, y, epochs, batch_size, verbose=False):
    model.train()
    for epoch in range(epochs):
        running = 0.0
        for idx in batches(len(x), batch_size):
            optimizer.zero_grad()
            loss = F.binary_cross_entropy_with_logits(model(x[idx]), y[idx])
            loss.backward()
            optimizer.step()
            running += loss.item() * len(idx)
        if verbose and (epoch + 1) % 10 == 0:
            print(f"    epoch {epoch + 1:3d}  bce {running / len(x):.4f}")
    return running / len(x)


@torch.no_grad()
def score(model, x, y):
    model.eval()
    prob = torch.sigmoid(model(x)).numpy()
    return {
        "acc": accuracy_score(y.numpy(), prob > 0.5),
        "auc": roc_auc_score(y.numpy(), prob),
    }
