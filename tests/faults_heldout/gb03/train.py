import torch
import torch.nn.functional as F

from recall.data import batches, make_split
from recall.model import SequenceTagger
from recall.optim import build_optimizer

VOCAB, LENGTH = 6, 12
EPOCHS, BATCH = 14, 64


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(-1) == y).float().mean().item()
    model.train()
    return acc


def main():
    torch.manual_seed(3)
    train_x, train_y = make_split(5000, LENGTH, VOCAB, seed=10)
    val_x, val_y = make_split(800, LENGTH, VOCAB, seed=11)
    model = SequenceTagger(VOCAB + 2)
    opt = build_optimizer(model, lr=4e-3, recurrent_lr=4e-3, weight_decay=0.01)
    print("parameters:", sum(p.numel() for p in model.parameters()))

    for epoch in range(EPOCHS):
        running, n = 0.0, 0
        for xb, yb in batches(train_x, train_y, BATCH):
            loss = F.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            running += loss.item() * len(xb)
            n += len(xb)
        print(f"epoch {epoch + 1}: train loss {running / n:.4f}  val acc {accuracy(model, val_x, val_y):.3f}")


if __name__ == "__main__":
    main()
