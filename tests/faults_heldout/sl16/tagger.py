"""Instrument tags for short mixes: mel bands x frames in, any number of tags out."""
import json

import numpy as np
import torch
from torch import nn


class MixTagger(nn.Module):
    def __init__(self, bands, tags):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(bands, 48, 3, padding=1), nn.ReLU(),
            nn.Conv1d(48, 48, 3, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(),
            nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, tags))

    def forward(self, mel):
        return self.net(mel)


def micro_f1(logits, tags):
    guess = torch.sigmoid(logits) > 0.5
    hit = (guess & tags.bool()).sum().item()
    return 2 * hit / max(1, guess.sum().item() + int(tags.sum().item()))


class Session:
    def __init__(self, path, names, lr=3e-3, batch=32, epochs=20, seed=6):
        torch.manual_seed(seed)
        z = np.load(path)
        mel = torch.from_numpy(z["mel"].astype(np.float32))
        tags = torch.from_numpy(np.unpackbits(z["tags"], axis=1)[:, : len(names)].astype(np.float32))
        k = int(z["train"])
        mean, std = mel[:k].mean((0, 2), keepdim=True), mel[:k].std((0, 2), keepdim=True)
        mel = (mel - mean) / std
        self.fit, self.held = (mel[:k], tags[:k]), (mel[k:], tags[k:])
        self.model = MixTagger(mel.shape[1], len(names))
        self.loss = nn.CrossEntropyLoss()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=0.02)
        self.batch, self.epochs = batch, epochs
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs)

    def go(self):
        mel, tags = self.fit
        for epoch in range(self.epochs):
            self.model.train()
            losses = []
            for idx in torch.randperm(len(mel)).split(self.batch):
                value = self.loss(self.model(mel[idx]), tags[idx])
                self.opt.zero_grad()
                value.backward()
                self.opt.step()
                losses.append(value.item())
            self.sched.step()
            self.model.eval()
            with torch.no_grad():
                out = self.model(self.held[0])
                vl = self.loss(out, self.held[1]).item()
            print(f"{epoch:02d} train {np.mean(losses):.4f} valid {vl:.4f} micro-F1 {micro_f1(out, self.held[1]):.3f}")


if __name__ == "__main__":
    import sys
    kw = {"seed": int(sys.argv[1])} if len(sys.argv) > 1 else {}
    with open("tags.json") as fh:
        Session("mixes.npz", json.load(fh), **kw).go()
