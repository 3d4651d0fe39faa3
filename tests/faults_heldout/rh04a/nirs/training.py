import copy

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


def mse(model, data):
    model.eval()
    with torch.no_grad():
        return F.mse_loss(model(data.x).squeeze(1), data.y).item()


def train(model, train_set, valid_set, opts):
    loader = DataLoader(train_set, batch_size=int(opts["batch_size"]), shuffle=True)
    optim = torch.optim.AdamW(model.parameters(), lr=float(opts["lr"]), weight_decay=float(opts["weight_decay"]))
    best, best_state, waited = float("inf"), None, 0
    for epoch in range(1, int(opts["max_epochs"]) + 1):
        model.train()
        total = 0.0
        for x, y in loader:
            loss = F.mse_loss(model(x).squeeze(1), y)
            optim.zero_grad()
            loss.backward()
            optim.step()
            total += loss.item() * len(y)
        valid = mse(model, valid_set)
        if epoch % 5 == 0 or epoch == 1:
            print(f"epoch {epoch:3d}   train {total / len(train_set):.4f}   valid {valid:.4f}")
        if valid < best:
            best, best_state, waited = valid, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
            if waited >= int(opts["patience"]):
                print(f"no better for {waited} epochs, stop at {epoch}")
                break
    model.load_state_dict(best_state)
    return best
