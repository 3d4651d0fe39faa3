"""Fine-tune the autoencoder-pretrained trunk on the labelled digits."""
from dataclasses import dataclass
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.nn.functional import cross_entropy

from model import Recogniser, Trunk


@dataclass
class Config:
    weights: str = "weights/trunk.pt"
    epochs: int = 15
    batch: int = 48
    lr_trunk: float = 3e-4
    lr_head: float = 1e-3
    weight_decay: float = 1e-2
    seed: int = 21


class FineTuner:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        d = load_digits()
        xa, xb, ya, yb = train_test_split(d.data, d.target, test_size=0.25, random_state=3, stratify=d.target)
        as_x = lambda a: torch.tensor(a / 8.0 - 1.0, dtype=torch.float32)
        self.x, self.y = as_x(xa), torch.tensor(ya)
        self.xv, self.yv = as_x(xb), torch.tensor(yb)
        trunk = Trunk()
        state = torch.load(Path(__file__).parent / cfg.weights, map_location="cpu")
        trunk.load_state_dict(state["trunk"], strict=True)
        print(f"loaded trunk from epoch {state['epoch']} of pretraining")
        self.model = Recogniser(trunk)
        self.opt = torch.optim.AdamW(
            [{"params": self.model.trunk.parameters(), "lr": cfg.lr_trunk},
             {"params": self.model.head.parameters(), "lr": cfg.lr_head}], weight_decay=cfg.weight_decay)

    def epoch(self):
        self.model.train()
        losses = []
        for idx in torch.randperm(len(self.x)).split(self.cfg.batch):
            loss = cross_entropy(self.model(self.x[idx]), self.y[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        out = self.model(self.xv)
        return cross_entropy(out, self.yv).item(), (out.argmax(-1) == self.yv).float().mean().item()

    def fit(self):
        for e in range(self.cfg.epochs):
            tr = self.epoch()
            vl, va = self.validate()
            print(f"[{e + 1:02d}/{self.cfg.epochs}] train {tr:.4f}  val {vl:.4f}  acc {va:.4f}", flush=True)


if __name__ == "__main__":
    FineTuner(Config()).fit()
