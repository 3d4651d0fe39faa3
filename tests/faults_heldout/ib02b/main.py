import configparser
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cp = configparser.ConfigParser()
cp.read(sys.argv[1] if len(sys.argv) > 1 else "sorter.ini")
net_c, run_c = cp["network"], cp["run"]
torch.manual_seed(run_c.getint("seed"))


def load(split):
    z = np.load("lists.npz")
    return TensorDataset(torch.from_numpy(z[f"{split}_x"]).long(), torch.from_numpy(z[f"{split}_y"]).long())


class Sorter(nn.Module):
    """Reads an unordered list of keys, writes the list in order, all positions at once."""

    def __init__(self, vocab, length, dim, heads, layers, dropout=0.0):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.randn(length, dim) * 0.1)
        block = nn.TransformerEncoderLayer(dim, heads, 4 * dim, dropout, activation="gelu", batch_first=True)
        self.enc = nn.TransformerEncoder(block, layers, enable_nested_tensor=False)
        for p in self.enc.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)
        self.head = nn.Linear(dim, vocab)

    def forward(self, x):
        return self.head(self.enc(self.tok(x) + self.pos))


def accuracy(model, ds):
    model.eval()
    with torch.no_grad():
        x, y = ds.tensors
        hit = model(x).argmax(-1) == y
    model.train()
    return hit.float().mean().item(), hit.all(1).float().mean().item()


def main():
    train, test = load("train"), load("test")
    vocab = int(train.tensors[0].max()) + 1
    model = Sorter(vocab, train.tensors[0].shape[1], net_c.getint("dim"), net_c.getint("heads"),
                   net_c.getint("layers"))
    loader = DataLoader(train, batch_size=run_c.getint("batch_size"), shuffle=True, drop_last=True)
    epochs = run_c.getint("epochs")
    opt = torch.optim.Adam(model.parameters(), lr=run_c.getfloat("lr"), betas=(0.9, 0.98))
    ramp = torch.optim.lr_scheduler.LinearLR(opt, start_factor=run_c.getfloat("start_factor"),
                                             total_iters=run_c.getint("ramp_iters"))
    rest = torch.optim.lr_scheduler.CosineAnnealingLR(
        opt, epochs * len(loader) - run_c.getint("ramp_iters"))
    sched = torch.optim.lr_scheduler.SequentialLR(opt, [ramp, rest], [run_c.getint("ramp_iters")])
    crit = nn.CrossEntropyLoss()

    for epoch in range(epochs):
        tot = 0.0
        for x, y in loader:
            loss = crit(model(x).transpose(1, 2), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        tok, whole = accuracy(model, test)
        print(f"epoch {epoch + 1:2d} | loss {tot / len(loader):.4f} | test keys {tok:.3f} | whole lists {whole:.3f}")


if __name__ == "__main__":
    main()
