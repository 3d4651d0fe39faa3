"""Sorting network: a small encoder tells the rank of every number in a list (bf16 autocast)."""
import torch
import torch.nn.functional as F
from torch import nn

LENGTH, STEPS, BATCH = 8, 500, 48


def batch(n, generator):
    x = torch.rand(n, LENGTH, generator=generator)
    return x.unsqueeze(-1), x.argsort(1).argsort(1)


class RankNet(nn.Module):
    def __init__(self, dim=48, heads=4, layers=2):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(1, dim), nn.GELU(), nn.Linear(dim, dim))
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.out = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, LENGTH))

    def forward(self, x):
        return self.out(self.enc(self.inp(x)))


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    val_x, val_y = batch(400, torch.Generator().manual_seed(2))
    net = RankNet()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.SequentialLR(
        opt, [torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=40),
              torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS - 40)], milestones=[40])
    for step in range(1, STEPS + 1):
        net.train()
        x, y = batch(BATCH, gen)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(x)
        loss = F.cross_entropy(logits.float().flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 100 == 0:
            net.eval()
            with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
                acc = (net(val_x).argmax(-1) == val_y).float().mean().item()
            print(f"step {step} loss {loss.item():.4f} rank accuracy {acc:.4f}")


if __name__ == "__main__":
    main()
