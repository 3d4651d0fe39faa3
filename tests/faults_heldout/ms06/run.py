import configparser
import sys
from pathlib import Path

import torch
from torch.utils.data import DataLoader, TensorDataset

from glyphs import GlyphBook, PKSampler
from metric import EmbeddingNet, HardTriplet, recall_at


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        z = torch.cat([net(part) for part in x.split(128)])
    net.train()
    return recall_at(z, y)


def main():
    cfg = configparser.ConfigParser()
    cfg.read(Path(__file__).parent / "config.ini")
    data, batch, tr = cfg["data"], cfg["batch"], cfg["train"]
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else tr.getint("seed")
    torch.manual_seed(seed)
    gen = torch.Generator().manual_seed(seed)

    x, y = GlyphBook(data.getint("train_glyphs"), seed=5).collect(data.getint("per_glyph"), seed=6)
    tx, ty = GlyphBook(data.getint("test_glyphs"), seed=7).collect(10, seed=8)      # glyphs never seen in training

    sampler = PKSampler(y, batch.getint("glyphs"), batch.getint("drawings"), tr.getint("steps"), gen)
    loader = DataLoader(TensorDataset(x, y), batch_sampler=sampler)
    net, criterion = EmbeddingNet(), HardTriplet(tr.getfloat("margin"))
    opt = torch.optim.Adam(net.parameters(), lr=tr.getfloat("lr"), weight_decay=tr.getfloat("weight_decay"))
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [280, 360], gamma=0.3)

    r1, r5 = evaluate(net, tx, ty)
    print(f"untrained      unseen glyphs R@1 {r1:.3f} R@5 {r5:.3f}")
    run_loss, run_active = 0.0, 0.0
    for step, (xb, yb) in enumerate(loader, 1):
        loss, active = criterion(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        run_loss += loss.item()
        run_active += active.item()
        if step % 60 == 0:
            r1, r5 = evaluate(net, tx, ty)
            print(f"step {step:4d} loss {run_loss / 60:.4f} active {run_active / 60:.2f} "
                  f"unseen glyphs R@1 {r1:.3f} R@5 {r5:.3f}")
            run_loss = run_active = 0.0


if __name__ == "__main__":
    main()
