import argparse
import numpy as np
import torch
import torch.nn as nn


class Machines(torch.utils.data.Dataset):
    """vibration events; label = which of three fault codes was raised first"""

    def __init__(self, n, seed, T=24):
        r = np.random.RandomState(seed)
        x = r.normal(0, 0.3, (n, T, 4)).astype('float32')
        y = r.randint(0, 3, n)
        for i in range(n):
            t0 = r.randint(1, T // 2)
            x[i, t0, y[i]] += 2.0
            for _ in range(2):
                x[i, r.randint(t0 + 2, T), r.randint(0, 3)] += 2.0
        self.x, self.y = torch.from_numpy(x), torch.from_numpy(y).long()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class EventGRU(nn.Module):
    def __init__(self, n_in=4, hidden=32, n_out=3):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.GRUCell(n_in, hidden)
        self.classify = nn.Linear(hidden, n_out)

    def forward(self, seq):
        for t in range(seq.size(1)):
            state = seq.new_zeros(seq.size(0), self.hidden)
            state = self.cell(seq[:, t], state)
        return self.classify(state)


def accuracy(net, loader):
    net.eval()
    ok = n = 0
    with torch.no_grad():
        for x, y in loader:
            ok += (net(x).argmax(1) == y).sum().item()
            n += len(y)
    net.train()
    return ok / n


if __name__ == '__main__':
    ap = argparse.ArgumentParser()
    ap.add_argument('--epochs', type=int, default=12)
    ap.add_argument('--lr', type=float, default=4e-3)
    cfg = ap.parse_args()
    torch.manual_seed(77)
    train = torch.utils.data.DataLoader(Machines(2000, 1), batch_size=50, shuffle=True)
    valid = torch.utils.data.DataLoader(Machines(500, 2), batch_size=250)
    net = EventGRU()
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    ce = nn.CrossEntropyLoss()
    for ep in range(cfg.epochs):
        run = []
        for x, y in train:
            opt.zero_grad()
            loss = ce(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            run.append(loss.item())
        print('epoch %d loss %.4f valid acc %.3f' % (ep, np.mean(run), accuracy(net, valid)))
