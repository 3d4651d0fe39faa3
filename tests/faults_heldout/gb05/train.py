import argparse
import time

import torch
import torch.nn.functional as F

from teacher import Encoder, MeanTeacher, Smoothed, WaveformStream

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=400)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--sigma", type=float, default=0.4)
parser.add_argument("--consistency", type=float, default=1.0)


def main(opt):
    torch.manual_seed(1)
    stream = WaveformStream(seed=1)
    mt = MeanTeacher(Encoder())
    optimizer = torch.optim.Adam(mt.student.parameters(), lr=3e-3)
    test_x, test_y, _ = WaveformStream(seed=99).batch(500)
    sup_m, cons_m, stab_m = Smoothed(), Smoothed(), Smoothed(0.995)
    t0 = time.time()

    for step in range(1, opt.steps + 1):
        x, y, has_label = stream.batch(opt.batch)
        a, b = stream.noisy(x, opt.sigma), stream.noisy(x, opt.sigma)
        logits = mt.student(a)
        with torch.no_grad():
            target = mt.teacher(b).softmax(-1)
        sup = F.cross_entropy(logits[has_label], y[has_label]) if has_label.any() else logits.sum() * 0
        cons = F.mse_loss(logits.softmax(-1), target)
        loss = sup + opt.consistency * cons

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mt.sync()

        sup_m.update(sup.item())
        cons_m.update(cons.item())
        stab_m.update(mt.agreement(a, b))
        if step % 50 == 0:
            mt.eval()
            with torch.no_grad():
                acc = (mt.teacher(stream.noisy(test_x, opt.sigma)).argmax(-1) == test_y).float().mean()
            mt.train()
            print(f"{step:5d} sup {sup_m:.4f} cons {cons_m:.5f} stability {stab_m:.5f} "
                  f"teacher acc {acc:.3f} {step / (time.time() - t0):.1f} it/s")


if __name__ == "__main__":
    main(parser.parse_args())
