"""Compress heart beats to 4 codes of 5 bits each."""
from pathlib import Path
import numpy as np
import torch
from torch import nn
from sklearn.decomposition import PCA
from quantizer import Codebook, perplexity

SEED, CODES, DIM, TOKENS = 15, 32, 8, 4
torch.manual_seed(SEED)

beats = np.load(Path(__file__).with_name("beats.npy")).astype(np.float32) / 80
train, test = torch.from_numpy(beats[:1100]), torch.from_numpy(beats[1100:])
mean = train.mean(0)
train, test = train - mean, test - mean


class BeatCodec(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 64), nn.ReLU(), nn.Linear(64, TOKENS * DIM))
        self.book = Codebook(CODES, DIM)
        self.dec = nn.Sequential(nn.Linear(TOKENS * DIM, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 64))

    def forward(self, x):
        q, idx, commit = self.book(self.enc(x).view(-1, TOKENS, DIM))
        return self.dec(q.flatten(1)), idx, commit


codec = BeatCodec()
opt = torch.optim.Adam(codec.parameters(), lr=1e-3)


def explained(x, recon):
    return 1 - ((x - recon) ** 2).sum().item() / ((x - x.mean(0)) ** 2).sum().item()


for k in (1, 2, 4):
    pca = PCA(k).fit(train.numpy())
    r = pca.inverse_transform(pca.transform(test.numpy()))
    print(f"for comparison, PCA with {k} real numbers explains {explained(test, torch.from_numpy(r)):.4f}")

for epoch in range(1, 61):
    codec.train()
    rec_sum = com_sum = 0.0
    for b in torch.randperm(len(train)).split(50):
        recon, _, commit = codec(train[b])
        rec = ((recon - train[b]) ** 2).mean()
        loss = rec + 0.1 * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        rec_sum += rec.item() * len(b)
        com_sum += commit.item() * len(b)
    if epoch % 3 == 0 or epoch == 1:
        codec.eval()
        with torch.no_grad():
            recon, idx, _ = codec(test)
        print(f"epoch {epoch:2d}  mse {rec_sum / len(train):.5f}  commitment {com_sum / len(train):.4f}  "
              f"test explained {explained(test, recon):.4f}  perplexity {perplexity(idx, CODES):.1f}/{CODES}")
