import torch
from torch import nn


@torch.no_grad()
def report(model, x, y, loss_fn):
    model.eval()
    out = model(x).squeeze(1)
    model.train()
    hit = (out > 0).float()
    tp = (hit * y).sum().item()
    recall = tp / max(y.sum().item(), 1)
    precision = tp / max(hit.sum().item(), 1)
    spec = ((1 - hit) * (1 - y)).sum().item() / (1 - y).sum().item()
    return loss_fn(out, y).item(), recall, precision, (recall + spec) / 2


def fit(model, table, opts):
    weight = torch.tensor(float(opts["pos_weight"]))
    loss_fn = nn.BCEWithLogitsLoss(pos_weight=weight)
    optim = torch.optim.Adam(model.parameters(), lr=opts["lr"], weight_decay=opts["weight_decay"])
    for epoch in range(1, opts["epochs"] + 1):
        acc, k = 0.0, 0
        for xb, yb in table.batches(opts["batch_size"]):
            loss = loss_fn(model(xb).squeeze(1), yb)
            optim.zero_grad()
            loss.backward()
            optim.step()
            acc, k = acc + loss.item(), k + 1
        vl, rec, prec, bal = report(model, *table.val, loss_fn)
        print(f"epoch {epoch:2d} loss {acc / k:.4f} val {vl:.4f} recall {rec:.3f} precision {prec:.3f} balanced {bal:.3f}")
