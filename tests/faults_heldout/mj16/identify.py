"""Level model for the two-tank plant, trained on parallel recordings read front to back."""
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent


class Plant(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, u, state=None):
        h, state = self.rnn(u, state)
        return self.out(h), state


def load(cfg):
    z = np.load(HERE / cfg["streams"])
    u = torch.from_numpy(z["valve"].astype(np.float32)).unsqueeze(-1)
    y = torch.from_numpy(z["level"].astype(np.float32)).unsqueeze(-1)
    k = cfg["train_streams"]
    scale = (u[:k].mean(), u[:k].std(), y[:k].mean(), y[:k].std())
    u, y = (u - scale[0]) / scale[1], (y - scale[2]) / scale[3]
    return (u[:k], y[:k]), (u[k:], y[k:]), scale[3].item()


def main():
    cfg = json.loads((HERE / "settings.json").read_text())
    torch.manual_seed(cfg["seed"])
    (u, y), (uv, yv), unit = load(cfg)
    model = Plant(cfg["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        state, losses = None, []
        for t in range(0, u.shape[1], cfg["chunk"]):
            pred, state = model(u[:, t:t + cfg["chunk"]], state)
            state = state.detach()
            loss = nn.functional.mse_loss(pred, y[:, t:t + cfg["chunk"]])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            losses.append(loss.item())
        sched.step()
        model.eval()
        with torch.no_grad():
            pred, _ = model(uv)
            err = (pred - yv)[:, cfg["warm"]:]
        print(f"epoch {epoch:2d}  train mse {np.mean(losses):.4f}  held-out rmse {err.square().mean().sqrt().item() * unit:.3f} mm")


if __name__ == "__main__":
    main()
