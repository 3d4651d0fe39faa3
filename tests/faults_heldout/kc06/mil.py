# Multiple-instance learning: a bag is positive when it holds at least one
# "witness" particle. Bags have different sizes, so instances are kept flat.
import numpy as np
import torch
import torch.nn as nn


class InstanceEncoder(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, 48), nn.ReLU(),
            nn.Linear(48, 48), nn.ReLU(),
            nn.Linear(48, n_out),
        )

    def forward(self, x):
        return self.net(x)


class BagClassifier(nn.Module):
    def __init__(self, n_in=6, n_feat=16):
        super().__init__()
        self.encoder = InstanceEncoder(n_in, n_feat)
        self.head = nn.Sequential(nn.Linear(n_feat, 16), nn.ReLU(), nn.Linear(16, 1))

    def pool(self, feats, sizes):
        # per-bag maximum of every feature
        rows = []
        for part in feats.split(sizes):
            rows.append(part.max(dim=0).values.tolist())
        return torch.tensor(rows, dtype=feats.dtype, device=feats.device)

    def forward(self, inst, sizes):
        z = self.pool(self.encoder(inst), sizes)
        return self.head(z).squeeze(1)


class Bags:
    def __init__(self, path):
        d = np.load(path)
        self.label = torch.from_numpy(d["label"].astype("float32"))
        self.parts = torch.from_numpy(d["inst"].astype("float32")).split(d["sizes"].tolist())

    def batch(self, ids):
        sel = [self.parts[i] for i in ids]
        return torch.cat(sel), [len(s) for s in sel], self.label[ids]


def score(model, bags, ids):
    model.eval()
    with torch.no_grad():
        x, sz, y = bags.batch(ids)
        z = model(x, sz)
    loss = nn.functional.binary_cross_entropy_with_logits(z, y).item()
    return loss, ((z > 0).float() == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    bags = Bags("bags.npz")
    ids = rng.permutation(len(bags.label))
    train_ids, test_ids = ids[:700], ids[700:]

    model = BagClassifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
    criterion = nn.BCEWithLogitsLoss()

    for epoch in range(14):
        model.train()
        losses = []
        rng.shuffle(train_ids)
        for k in range(0, len(train_ids), 20):
            x, sz, y = bags.batch(train_ids[k:k + 20])
            optimizer.zero_grad()
            loss = criterion(model(x, sz), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if epoch % 2 == 1:
            tl, ta = score(model, bags, test_ids)
            print(f"epoch {epoch + 1}: train {np.mean(losses):.4f}  test {tl:.4f}  acc {ta:.3f}")
