"""Transfer a digit backbone (classes 0-5) to classes 6-9 with 15 labelled images per class."""
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from backbone import Classifier

HERE = Path(__file__).parent
NEW = [6, 7, 8, 9]
SHOTS = 15


def few_shot_split(seed=0):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
    y = torch.tensor(d.target)
    g = torch.Generator().manual_seed(seed)
    tr, te = [], []
    for c in NEW:
        idx = (y == c).nonzero().squeeze(1)
        idx = idx[torch.randperm(len(idx), generator=g)]
        tr.append(idx[:SHOTS])
        te.append(idx[SHOTS:])
    tr, te = torch.cat(tr), torch.cat(te)
    return x[tr], y[tr] - NEW[0], x[te], y[te] - NEW[0]


def load_model():
    model = Classifier(len(NEW))
    ckpt = torch.load(HERE / "digits0to5.pt", weights_only=True)["model"]
    backbone = {k.removeprefix("backbone."): v for k, v in ckpt.items() if k.startswith("backbone.")}
    model.backbone.load_state_dict(backbone)
    return model


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def run_phase(name, model, opt, data, epochs, batch=12):
    x, y, x_te, y_te = data
    print(f"{name}: {sum(p.numel() for p in model.parameters() if p.requires_grad)} trainable parameters")
    for epoch in range(1, epochs + 1):
        model.train()
        model.backbone.eval()
        total = 0.0
        for idx in torch.randperm(len(y)).split(batch):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 10 == 0:
            te_loss, te_acc = evaluate(model, x_te, y_te)
            print(f"  epoch {epoch:3d} train {total / len(y):.4f} test {te_loss:.4f} acc {te_acc:.4f}")


def main():
    torch.manual_seed(0)
    data = few_shot_split()
    model = load_model()
    print(f"test images {len(data[3])}, start acc {evaluate(model, *data[2:])[1]:.4f}")

    model.backbone.requires_grad_(False)
    opt = torch.optim.Adam(model.head.parameters(), lr=2e-3)
    run_phase("linear probe", model, opt, data, epochs=60)

    model.backbone.stage2.requires_grad_(True)
    opt = torch.optim.Adam([
        {"params": model.backbone.stage2.parameters(), "lr": 3e-5},
        {"params": model.head.parameters(), "lr": 1e-4},
    ], weight_decay=1e-4)
    run_phase("fine-tune stage2", model, opt, data, epochs=60)


if __name__ == "__main__":
    main()
