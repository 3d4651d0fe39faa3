import numpy as np
import torch
from torch.utils.data import DataLoader

from dataset import Stays, collate
from model import StayModel


def epoch(model, loader, opt=None):
    model.train(opt is not None)
    tot = n = 0
    with torch.set_grad_enabled(opt is not None):
        for codes, values, score in loader:
            loss = (model(codes, values) - score).square().mean()
            if opt:
                opt.zero_grad()
                loss.backward()
                opt.step()
            tot, n = tot + loss.item() * len(score), n + len(score)
    return tot / n


def main():
    torch.manual_seed(10)
    order = np.random.default_rng(10).permutation(2200)
    train = DataLoader(Stays("stays.npz", order[:1700]), batch_size=64, shuffle=True, collate_fn=collate)
    test = DataLoader(Stays("stays.npz", order[1700:]), batch_size=64, collate_fn=collate)
    model = StayModel(60)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 4e-3, epochs=12, steps_per_epoch=len(train))
    opt.register_step_post_hook(lambda *_: sched.step())
    for e in range(12):
        print(f"epoch {e} train {epoch(model, train, opt):.4f} test {epoch(model, test):.4f}")


if __name__ == "__main__":
    main()
