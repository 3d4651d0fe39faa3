import configparser

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from invdyn.log import load_log
from invdyn.objective import explained, objective

cp = configparser.ConfigParser()
cp.read("config.ini")
gen = torch.Generator().manual_seed(17)
torch.manual_seed(17)

train, (x_te, y_te) = load_log(cp["data"]["path"], cp["data"].getfloat("test_fraction"), gen)

width, depth = cp["model"].getint("hidden"), cp["model"].getint("depth")
layers, d = [], train[0].shape[1]
for _ in range(depth):
    layers += [nn.Linear(d, width), nn.Tanh()]
    d = width
model = nn.Sequential(*layers, nn.Linear(d, train[1].shape[1]))

optim = cp["optim"]
opt = torch.optim.SGD(model.parameters(), lr=optim.getfloat("lr"), momentum=optim.getfloat("momentum"))
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, optim.getint("epochs"))
loader = DataLoader(TensorDataset(*train), batch_size=optim.getint("batch_size"), shuffle=True, generator=gen)

for epoch in range(optim.getint("epochs")):
    model.train()
    acc = 0.0
    for x, y in loader:
        opt.zero_grad()
        loss = objective(model(x), y)
        loss.backward()
        opt.step()
        acc += loss.item()
    sched.step()
    model.eval()
    with torch.no_grad():
        out = model(x_te)
        r2 = explained(out, y_te)
    print(f"{epoch:3d} loss {acc / len(loader):10.4f}  test mse {(out - y_te).square().mean():.4f}  R2 "
          + " ".join(f"{v:+.3f}" for v in r2.tolist()))
