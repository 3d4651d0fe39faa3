# Digits classifier trained entirely in half precision (weights, gradients, optimizer state).
import torch
from sklearn.datasets import load_digits
from torch import nn

torch.manual_seed(7)
data = load_digits()
x = torch.tensor(data.data / 16.0).half()
y = torch.tensor(data.target)
perm = torch.randperm(len(y))
tr, va = perm[:1400], perm[1400:]

model = nn.Sequential(nn.Linear(64, 96), nn.Tanh(), nn.Linear(96, 10)).half()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)


def accuracy(ix):
    model.eval()
    with torch.no_grad():
        pred = model(x[ix]).float().argmax(1)
    model.train()
    return (pred == y[ix]).double().mean().item()


for epoch in range(12):
    loss_sum = 0.0
    for ix in tr[torch.randperm(len(tr))].split(50):
        opt.zero_grad()
        # the loss itself is reduced in float32
        loss = nn.functional.cross_entropy(model(x[ix]).float(), y[ix])
        loss.backward()
        opt.step()
        loss_sum += loss.item() * len(ix)
    print("epoch {:2d} loss {:.4f} train {:.3f} val {:.3f}".format(epoch, loss_sum / len(tr), accuracy(tr), accuracy(va)))
