"""Semi-supervised node classification with a two-layer GCN (full batch)."""
import copy

import torch
import torch.nn.functional as F

from graphs.citation import make_graph
from graphs.gcn import GCN

HIDDEN = 32
DROPOUT = 0.5
LR = 0.01
WEIGHT_DECAY = 5e-4
MAX_EPOCHS = 300
PATIENCE = 40


def accuracy(logits, y, idx):
    return (logits[idx].argmax(1) == y[idx]).float().mean().item()


def main():
    torch.manual_seed(0)
    g = make_graph()
    model = GCN(g.x.shape[1], HIDDEN, int(g.y.max()) + 1, DROPOUT)
    optimizer = torch.optim.Adam(
        [
            {"params": model.conv1.parameters(), "weight_decay": WEIGHT_DECAY},
            {"params": model.conv2.parameters(), "weight_decay": 0.0},
        ],
        lr=LR,
    )

    best_loss, best_state, waited = float("inf"), None, 0
    for epoch in range(1, MAX_EPOCHS + 1):
        model.train()
        optimizer.zero_grad()
        logits = model(g.x, g.adj)
        loss = F.cross_entropy(logits[g.train], g.y[g.train])
        loss.backward()
        optimizer.step()

        model.eval()
        with torch.no_grad():
            logits = model(g.x, g.adj)
            val_loss = F.cross_entropy(logits[g.valid], g.y[g.valid]).item()
        if val_loss < best_loss:
            best_loss, waited = val_loss, 0
            best_state = copy.deepcopy(model.state_dict())
        else:
            waited += 1
        if epoch % 20 == 0:
            print(
                f"epoch {epoch:3d}  loss {loss.item():.4f}  val_loss {val_loss:.4f}  "
                f"train_acc {accuracy(logits, g.y, g.train):.3f}  val_acc {accuracy(logits, g.y, g.valid):.3f}"
            )
        if waited >= PATIENCE:
            print(f"early stop at epoch {epoch}")
            break

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        logits = model(g.x, g.adj)
    print(f"best val loss {best_loss:.4f}  test accuracy {accuracy(logits, g.y, g.test):.3f}")


if __name__ == "__main__":
    main()
