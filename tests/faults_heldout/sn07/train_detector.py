import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from blobfinder.detector import Detector, iou
from blobfinder.scenes import SceneStream


class Trainer:
    def __init__(self, opts):
        self.opts = opts
        self.train_loader = DataLoader(SceneStream(opts.scenes, opts.seed), batch_size=32)
        self.val_scenes = [torch.stack(t) for t in zip(*SceneStream(400, opts.seed + 1000))]
        self.net = Detector()
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=opts.lr, weight_decay=1e-3)
        total = opts.epochs * len(self.train_loader)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, opts.lr, total_steps=total)

    def fit(self):
        for epoch in range(1, self.opts.epochs + 1):
            self.net.train()
            losses = []
            for img, box in self.train_loader:
                loss = F.smooth_l1_loss(self.net(img), box, beta=0.05)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.sched.step()
                losses.append(loss.item())
            if epoch % 10 == 0:
                vloss, viou = self.validate()
                print(f"epoch {epoch:3d}: train {sum(losses) / len(losses):.5f}  val {vloss:.5f}  mean IoU {viou:.3f}")

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        img, box = self.val_scenes
        pred = self.net(img)
        return F.smooth_l1_loss(pred, box, beta=0.05).item(), iou(pred, box).mean().item()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=100)
    p.add_argument("--scenes", type=int, default=96)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=1)
    opts = p.parse_args()
    torch.manual_seed(opts.seed)
    Trainer(opts).fit()
