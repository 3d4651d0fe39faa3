"""Matrix factorisation with plain SGD, as in the production recommender.

Epochs are cheap, and the plain update without momentum is what the streaming
job can apply, so we simply run it long enough."""
import configparser
import logging
from pathlib import Path

import numpy as np
import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("mf")
HERE = Path(__file__).parent


class Factors(nn.Module):
    def __init__(self, users, items, k, mean, std):
        super().__init__()
        self.user, self.item = nn.Embedding(users, k), nn.Embedding(items, k)
        self.user_bias, self.item_bias = nn.Embedding(users, 1), nn.Embedding(items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for table in (self.user, self.item):
            nn.init.normal_(table.weight, std=std)
        for table in (self.user_bias, self.item_bias):
            nn.init.zeros_(table.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + dot

    def penalty(self, u, i):
        return self.user(u).pow(2).sum(-1) + self.item(i).pow(2).sum(-1)


def main():
    cfg = configparser.ConfigParser()
    cfg.read(HERE / "settings.ini")
    t = cfg["train"]
    torch.manual_seed(t.getint("seed"))

    raw = np.loadtxt(HERE / cfg["data"]["file"], delimiter=",", skiprows=1)
    perm = torch.randperm(len(raw))
    raw = torch.from_numpy(raw)[perm]
    u, i, r = raw[:, 0].long(), raw[:, 1].long(), raw[:, 2].float()
    n_val = int(len(raw) * cfg["data"].getfloat("val_share"))
    val = (u[:n_val], i[:n_val], r[:n_val])
    u, i, r = u[n_val:], i[n_val:], r[n_val:]

    users, items = int(raw[:, 0].max()) + 1, int(raw[:, 1].max()) + 1
    model = Factors(users, items, cfg["model"].getint("factors"), r.mean().item(), cfg["model"].getfloat("init_std"))
    opt = torch.optim.SGD(model.parameters(), lr=t.getfloat("lr"))
    epochs, l2 = t.getint("epochs"), t.getfloat("l2")
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [int(epochs * 0.8), int(epochs * 0.93)], gamma=0.3)
    log.info("%d users, %d items, %d train, %d val ratings, val std %.3f", users, items, len(r), n_val, val[2].std().item())

    for epoch in range(1, epochs + 1):
        model.train()
        sq = torch.zeros(())
        for idx in torch.randperm(len(r)).split(t.getint("batch")):
            uu, ii = u[idx], i[idx]
            err = model(uu, ii) - r[idx]
            loss = (err.pow(2) + l2 * model.penalty(uu, ii)).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            sq += err.detach().pow(2).sum()
        sched.step()
        if epoch % 5 == 0 or epoch == 1:
            model.eval()
            with torch.no_grad():
                rmse = (model(val[0], val[1]) - val[2]).pow(2).mean().sqrt().item()
            log.info("epoch %3d  train rmse %.4f  val rmse %.4f", epoch, (sq / len(r)).sqrt().item(), rmse)


if __name__ == "__main__":
    main()
