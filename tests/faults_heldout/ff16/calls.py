"""Bird-call classifier: rising / falling sweeps, attacks / swells."""
import pathlib

import numpy as np
import torch
from torch import nn

from augment import Pipeline

AUGMENTATIONS = ["gain", "roll", "polarity", "mirror", "hiss"]


class CallNet(nn.Module):
    def __init__(self, n_fft=32, hop=8, classes=4):
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.register_buffer("window", torch.hann_window(n_fft))
        f = n_fft // 2 + 1
        self.conv = nn.Sequential(
            nn.Conv1d(f, 32, 3, padding=1), nn.BatchNorm1d(32), nn.ReLU(),
            nn.Conv1d(32, 32, 3, padding=1), nn.BatchNorm1d(32), nn.ReLU(),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.LazyLinear(classes))

    def forward(self, w):
        s = torch.stft(w, self.n_fft, self.hop, window=self.window, return_complex=True).abs()
        return self.head(self.conv(torch.log1p(s)))


def main():
    torch.manual_seed(19)
    z = np.load(pathlib.Path(__file__).with_name("calls.npz"))
    wave, kind = torch.from_numpy(z["wave"].astype(np.float32)), torch.from_numpy(z["kind"]).long()
    wt, kt, wv, kv = wave[:650], kind[:650], wave[650:], kind[650:]
    augment = Pipeline(AUGMENTATIONS, seed=3)
    net = CallNet()
    net(wt[:2])
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.1)
    for epoch in range(1, 16):
        net.train()
        loss_sum = hits = 0
        for ix in torch.randperm(len(wt)).split(32):
            logits = net(augment(wt[ix]))
            loss = nn.functional.cross_entropy(logits, kt[ix])
            opt.zero_grad()
            loss.backward()
            opt.step()
            loss_sum += loss.item() * len(ix)
            hits += (logits.argmax(1) == kt[ix]).sum().item()
        net.eval()
        with torch.no_grad():
            acc = (net(wv).argmax(1) == kv).float().mean().item()
        if epoch % 2 == 0 or epoch == 1:
            print(f"{epoch:3d}: loss={loss_sum / len(wt):.3f} train_acc={hits / len(wt):.3f} val_acc={acc:.3f}")


if __name__ == "__main__":
    main()
