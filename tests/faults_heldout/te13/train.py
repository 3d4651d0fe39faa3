import torch
from torch import nn
from torch.utils.data import DataLoader

from molecules import collate, collection

SEED, EPOCHS = 0, 36


class SumNet(nn.Module):
    def __init__(self, d=32, rounds=2):
        super().__init__()
        self.embed = nn.Embedding(4, d)
        self.msg = nn.ModuleList(nn.Sequential(nn.Linear(2 * d, d), nn.SiLU(), nn.Linear(d, d)) for _ in range(rounds))
        self.upd = nn.ModuleList(nn.Sequential(nn.Linear(2 * d, d), nn.SiLU(), nn.Linear(d, d)) for _ in range(rounds))
        self.read = nn.Sequential(nn.Linear(d, d), nn.SiLU(), nn.Linear(d, 1))
        self.register_buffer("per_atom", torch.zeros(()))
        self.register_buffer("unit", torch.ones(()))

    def calibrate(self, mols):
        energy = torch.tensor([m[2] for m in mols])
        atoms = torch.tensor([float(len(m[0])) for m in mols])
        self.per_atom.copy_(energy.sum() / atoms.sum())
        self.unit.copy_((energy / atoms).std())

    def forward(self, kind, src, dst, owner, n_graphs):
        h = self.embed(kind)
        for msg, upd in zip(self.msg, self.upd):
            m = msg(torch.cat([h[src], h[dst]], dim=1))
            agg = torch.zeros_like(h).index_add_(0, dst, m)
            h = h + upd(torch.cat([h, agg], dim=1))
        atom = self.read(h).squeeze(1) * self.unit + self.per_atom
        return torch.zeros(n_graphs).index_add_(0, owner, atom)


def mae(model, loader):
    model.eval()
    err = n = 0.0
    with torch.no_grad():
        for kind, src, dst, owner, e in loader:
            err += (model(kind, src, dst, owner, len(e)) - e).abs().sum().item()
            n += len(e)
    return err / n


def main():
    torch.manual_seed(SEED)
    train_mols, test_mols = collection(1500, 1), collection(400, 2)
    train = DataLoader(train_mols, 32, shuffle=True, collate_fn=collate)
    test = DataLoader(test_mols, 100, collate_fn=collate)
    # fixed slice of the training molecules, only to compare with the test set
    probe = DataLoader(train_mols[:400], 100, collate_fn=collate)

    model = SumNet()
    model.calibrate(train_mols)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(train))
    for epoch in range(EPOCHS):
        model.train()
        tot = 0.0
        for kind, src, dst, owner, e in train:
            pred = model(kind, src, dst, owner, len(e))
            loss = nn.functional.smooth_l1_loss(pred, e, beta=20.0)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        print(f"epoch {epoch:2d} loss {tot / len(train):9.3f}  mae train molecules {mae(model, probe):8.2f}  "
              f"test molecules {mae(model, test):8.2f} kJ/mol")


if __name__ == "__main__":
    main()
