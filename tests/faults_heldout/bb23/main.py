"""Re-identify items from sensor profiles; the items used for testing never occur in training."""
import numpy as np
import torch
from torch import nn

from losses import batch_hard_triplet, pairwise
from sampler import ItemBatches

MARGIN, EPOCHS, BATCHES = 0.2, 8, 40


class ProfileEncoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 32, 5, padding=2), nn.BatchNorm1d(32), nn.ReLU(),
            nn.Conv1d(32, 48, 5, stride=2, padding=2), nn.BatchNorm1d(48), nn.ReLU(),
            nn.Conv1d(48, 64, 3, stride=2, padding=1), nn.BatchNorm1d(64), nn.ReLU())
        self.fc = nn.Linear(64 * 12, dim)

    def forward(self, x):
        h = self.conv(x.unsqueeze(1)).flatten(1)
        return nn.functional.normalize(self.fc(h), dim=1)


def rank1_and_map(z, ids):
    d = pairwise(z)
    d.fill_diagonal_(float("inf"))
    order = d.argsort(dim=1)[:, :-1]
    hits = (ids[order] == ids[:, None]).float()
    precision = hits.cumsum(1) / torch.arange(1, hits.size(1) + 1)
    return hits[:, 0].mean().item(), ((precision * hits).sum(1) / hits.sum(1)).mean().item()


def main():
    torch.manual_seed(9)
    f = np.load("profiles.npz")
    x = torch.from_numpy(f["x"].astype(np.float32))
    x = (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)
    ids = torch.from_numpy(f["item"].astype(np.int64))
    items = torch.randperm(int(ids.max()) + 1)
    held_out = torch.isin(ids, items[:30])
    x_tr, id_tr, x_te, id_te = x[~held_out], ids[~held_out], x[held_out], ids[held_out]

    r1, m = rank1_and_map(nn.functional.normalize(x_te, dim=1), id_te)
    print(f"{len(x_tr)} training profiles, {len(x_te)} of unseen items; raw profiles: rank-1 {r1:.3f}  mAP {m:.3f}")
    net = ProfileEncoder()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=2e-3, total_steps=EPOCHS * BATCHES)
    for epoch in range(EPOCHS):
        net.train()
        losses = []
        for idx in ItemBatches(id_tr, p=12, k=6, n_batches=BATCHES):
            xb = x_tr[idx] + 0.15 * torch.randn(len(idx), x_tr.size(1))
            loss = batch_hard_triplet(net(xb), id_tr[idx], MARGIN)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            r1, m = rank1_and_map(net(x_te), id_te)
        print(f"epoch {epoch + 1:2d}  triplet {np.mean(losses):.4f}  unseen items: rank-1 {r1:.3f}  mAP {m:.3f}")


if __name__ == "__main__":
    main()
