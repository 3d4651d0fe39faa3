import torch
from torch import nn

from model import CallNet
from soundscape import clips

torch.manual_seed(6)
x, y = clips(2500, seed=40)
xv, yv = clips(800, seed=41)

net = CallNet()
naming = nn.CrossEntropyLoss()
redraw = nn.MSELoss(reduction="sum")
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
EPOCHS = 16
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 3e-3, total_steps=EPOCHS * 40)

for epoch in range(EPOCHS):
    net.train()
    sums = torch.zeros(2)
    for idx in torch.randperm(len(x)).split(64):
        logits, copy = net(x[idx])
        ce = naming(logits, y[idx])
        rec = redraw(copy, x[idx])
        opt.zero_grad()
        (ce + rec).backward()
        opt.step()
        sched.step()
        sums += torch.stack([ce.detach(), rec.detach()])
    net.eval()
    with torch.no_grad():
        logits, copy = net(xv)
        acc = (logits.argmax(1) == yv).float().mean().item()
        mse = (copy - xv).square().mean().item()
    print("epoch %2d  naming %.4f  redraw %.4f | val acc %.4f  val mse %.4f"
          % (epoch, sums[0] / 40, sums[1] / 40, acc, mse))
