"""Masked-event model for machine logs: hidden events are filled in from both sides."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    vocab: int = 17
    length: int = 16
    dim: int = 48
    heads: int = 4
    layers: int = 2
    steps: int = 800
    batch: int = 48
    lr: float = 2e-3
    hide: float = 0.2
    seed: int = 17


MASK = 0


def logs(n, cfg, gen):
    """two kinds of machine, each with its own order of events; now and then an event is replaced by another"""
    order = torch.Generator().manual_seed(5)
    ring = torch.stack([torch.randperm(cfg.vocab - 1, generator=order) for _ in range(2)])
    kind = torch.randint(2, (n, 1), generator=gen)
    start = torch.randint(cfg.vocab - 1, (n, 1), generator=gen)
    seq = ring[kind, (start + torch.arange(cfg.length)) % (cfg.vocab - 1)] + 1
    odd = torch.rand(seq.shape, generator=gen) < 0.02
    return torch.where(odd, torch.randint(1, cfg.vocab, seq.shape, generator=gen), seq)


def hide(seq, share, vocab):
    """of the chosen events 80 % are masked, 10 % replaced, 10 % kept"""
    chosen = torch.rand(seq.shape) < share
    r = torch.rand(seq.shape)
    inp = torch.where(chosen & (r < 0.8), torch.full_like(seq, MASK), seq)
    inp = torch.where(chosen & (r > 0.9), torch.randint(1, vocab, seq.shape), inp)
    return inp, chosen


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.dim)
        self.pos = nn.Parameter(torch.randn(c.length, c.dim))
        layer = nn.TransformerEncoderLayer(c.dim, c.heads, 2 * c.dim, dropout=0.0, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, c.layers, nn.LayerNorm(c.dim), enable_nested_tensor=False)
        self.out = nn.Linear(c.dim, c.vocab)

    def forward(self, x):
        return self.out(self.enc(self.tok(x) + self.pos))


def main(c=Config()):
    import sys
    if len(sys.argv) > 1:
        c.seed = int(sys.argv[1])
    torch.manual_seed(c.seed)
    gen = torch.Generator().manual_seed(99)
    train, held = logs(4000, c, gen), logs(400, c, gen)
    net = Model(c)
    opt = torch.optim.AdamW(net.parameters(), lr=c.lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 60) * max(0.05, 1 - s / c.steps))
    run = []
    for step in range(1, c.steps + 1):
        seq = train[torch.randint(len(train), (c.batch,))]
        inp, chosen = hide(seq, c.hide, c.vocab)
        loss = F.cross_entropy(net(inp)[chosen], seq[chosen])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        run.append(loss.item())
        if step % 80 == 0:
            net.eval()
            with torch.no_grad():
                m = torch.rand(held.shape) < c.hide
                z = net(held.masked_fill(m, MASK))
                acc = (z[m].argmax(1) == held[m]).float().mean()
                nll = F.cross_entropy(z[m], held[m])
            net.train()
            print(f"step {step:4d} loss {sum(run) / len(run):.4f} | held-out masked nll {nll:.4f} acc {acc:.3f}")
            run.clear()


main()
