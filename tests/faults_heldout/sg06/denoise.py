# Residual denoiser for small scanned glyphs. Images are processed in small chunks so that the
# same script also runs on the laptop with larger crops.
import torch
from torch import nn
from sklearn.datasets import load_digits

torch.manual_seed(31)

CHUNK = 8
CHUNKS_PER_UPDATE = 16
EPOCHS = 12
SIGMA = 0.35

scans = torch.tensor(load_digits().images, dtype=torch.float32).unsqueeze(1) / 16.0
mix = torch.randperm(len(scans))
valid, train = scans[mix[:297]], scans[mix[297:]]
valid_noisy = valid + SIGMA * torch.randn_like(valid)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a = nn.Conv2d(c, c, 3, padding=1)
        self.b = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))


net = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), Block(16), Block(16), nn.Conv2d(16, 1, 3, padding=1))
sgd = torch.optim.SGD(net.parameters(), lr=0.15, momentum=0.9)


def validate():
    net.eval()
    with torch.no_grad():
        restored = valid_noisy - net(valid_noisy)
        mse = ((restored - valid) ** 2).mean()
    net.train()
    return mse.item()


print(f"noisy input mse {((valid_noisy - valid) ** 2).mean():.4f}")
for epoch in range(EPOCHS):
    chunks = train[torch.randperm(len(train))].split(CHUNK)
    chunks = chunks[: len(chunks) // CHUNKS_PER_UPDATE * CHUNKS_PER_UPDATE]
    seen = 0.0
    for i, clean in enumerate(chunks):
        noise = SIGMA * torch.randn_like(clean)
        sgd.zero_grad()
        loss = ((net(clean + noise) - noise) ** 2).mean() / CHUNKS_PER_UPDATE
        loss.backward()
        if (i + 1) % CHUNKS_PER_UPDATE == 0:
            sgd.step()
        seen += loss.item() * CHUNKS_PER_UPDATE
    if epoch % 2 == 0:
        print(f"epoch {epoch:2d}  train {seen / len(chunks):.5f}  valid mse {validate():.5f}")
