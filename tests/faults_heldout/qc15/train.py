"""Cooling curves of cast parts: the whole curve from the start conditions."""
import json
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

KEYS = ("start", "mass", "area", "ambient", "fan")


class Curves(Dataset):
    def __init__(self, records, stats=None):
        cond = torch.tensor([[float(r[k]) for k in KEYS] for r in records])
        temps = [torch.tensor(r["temps"]) for r in records]
        if stats is None:
            flat = torch.cat(temps)
            stats = (cond.mean(0), cond.std(0), flat.mean(), flat.std())
        self.stats = stats
        self.cond = (cond - stats[0]) / stats[1]
        self.temps = [(t - stats[2]) / stats[3] for t in temps]

    def __len__(self):
        return len(self.temps)

    def __getitem__(self, k):
        return self.cond[k], self.temps[k]


def collate(batch):
    cond = torch.stack([c for c, _ in batch])
    lengths = torch.tensor([len(t) for _, t in batch])
    temps = pad_sequence([t for _, t in batch], batch_first=True)
    return cond, temps, lengths


class CurveDecoder(nn.Module):
    def __init__(self, n_cond=5, hidden=48):
        super().__init__()
        self.init = nn.Sequential(nn.Linear(n_cond, 48), nn.ReLU(), nn.Linear(48, hidden), nn.Tanh())
        self.gru = nn.GRU(n_cond, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, cond, steps):
        h0 = self.init(cond).unsqueeze(0)
        h, _ = self.gru(cond.unsqueeze(1).expand(-1, steps, -1).contiguous(), h0)
        return self.out(h).squeeze(-1)


@torch.no_grad()
def mean_abs_error(model, loader, scale):
    model.eval()
    err = n = 0.0
    for cond, temps, lengths in loader:
        pred = model(cond, temps.size(1))
        for p, t, l in zip(pred, temps, lengths):
            err += (p[:l] - t[:l]).abs().sum().item()
            n += l.item()
    return err / n * scale.item()


def main():
    torch.manual_seed(12)
    records = json.load(open("cooling.json"))
    train_set = Curves(records[:740])
    valid_set = Curves(records[740:], train_set.stats)
    train_loader = DataLoader(train_set, batch_size=24, shuffle=True, collate_fn=collate)
    valid_loader = DataLoader(valid_set, batch_size=80, collate_fn=collate)
    model = CurveDecoder()
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(1, 17):
        model.train()
        total = 0.0
        for cond, temps, lengths in train_loader:
            pred = model(cond, temps.size(1))
            loss = criterion(pred, temps)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch:2d}  loss {total / len(train_loader):.4f}  valid MAE {mean_abs_error(model, valid_loader, train_set.stats[3]):.2f} degC")


if __name__ == "__main__":
    main()
