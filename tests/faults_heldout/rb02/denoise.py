import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

parser = argparse.ArgumentParser(description="denoising autoencoder for 8x8 digits")
parser.add_argument("--epochs", type=int, default=32)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--lr", type=float, default=4e-3)
parser.add_argument("--sigma", type=float, default=0.25)
parser.add_argument("--code", type=int, default=24)
args = parser.parse_args()

torch.manual_seed(3)
images = torch.tensor(load_digits().images, dtype=torch.float32).unsqueeze(1) / 16.0
order = torch.randperm(len(images))
train, test = images[order[:1400]], images[order[1400:]]


class Denoiser(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.down1 = nn.Conv2d(1, 16, 3, padding=1)
        self.down2 = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.to_code = nn.Linear(32 * 16, code)
        self.from_code = nn.Linear(code, 32 * 16)
        self.up1 = nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1)
        self.out = nn.Conv2d(16, 1, 3, padding=1)

    def forward(self, x):
        h = F.gelu(self.down1(x))
        h = F.gelu(self.down2(h))
        z = self.to_code(h.flatten(1))
        h = F.gelu(self.from_code(z)).view(-1, 32, 4, 4)
        h = F.gelu(self.up1(h))
        return torch.sigmoid(self.out(h))


net = Denoiser(args.code)
optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=12, gamma=0.3)

# one fixed noisy copy of the test images so that epochs can be compared
fixed = torch.Generator().manual_seed(99)
test_noisy = test + args.sigma * torch.randn(test.shape, generator=fixed)
train_noisy = train + args.sigma * torch.randn(train.shape, generator=fixed)
print("mean image mse %.5f" % F.mse_loss(train.mean(0, keepdim=True).expand_as(test), test).item())
print("noisy image mse %.5f" % F.mse_loss(test_noisy, test).item())


def evaluate(noisy, clean):
    net.eval()
    with torch.no_grad():
        return F.mse_loss(net(noisy), clean).item()


for epoch in range(args.epochs):
    net.train()
    losses = []
    for idx in torch.randperm(len(train)).split(args.batch):
        clean = train[idx]
        noisy = clean + args.sigma * torch.randn_like(clean)
        loss = F.mse_loss(net(noisy), clean)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()
    print("epoch %02d train mse %.5f test mse %.5f" % (epoch, np.mean(losses), evaluate(test_noisy, test)))

print("final: train %.5f test %.5f" % (evaluate(train_noisy, train), evaluate(test_noisy, test)))
