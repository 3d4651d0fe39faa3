import torch
from sklearn.datasets import load_digits
from torch import nn

from probe import ActivationProbe

torch.manual_seed(33)
images = torch.tensor(load_digits().images, dtype=torch.float32).unsqueeze(1) / 16
images = images[torch.randperm(len(images))]
train, test = images[:1400], images[1400:]
SIGMA = 0.35


class Denoiser(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.enc1 = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU())
        self.enc2 = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.enc3 = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.dec = nn.Conv2d(2 * width, 1, 3, padding=1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc3(self.enc2(a))
        return x - self.dec(torch.cat([a, b], dim=1))


net = Denoiser()
probe = ActivationProbe(net, ["enc1", "enc2", "enc3"])
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
test_noisy = test + SIGMA * torch.randn_like(test)
print("mse of the noisy images", round((test_noisy - test).square().mean().item(), 4))

step = 0
for epoch in range(16):
    net.train()
    for idx in torch.randperm(len(train)).split(50):
        clean = train[idx]
        noisy = clean + SIGMA * torch.randn_like(clean)
        loss = nn.functional.mse_loss(net(noisy), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        if step % 56 == 0:
            print(f"step {step} loss {loss.item():.4f} | {probe.summary()}")
    net.eval()
    with torch.no_grad():
        print(f"epoch {epoch} test mse {nn.functional.mse_loss(net(test_noisy), test).item():.4f}")
