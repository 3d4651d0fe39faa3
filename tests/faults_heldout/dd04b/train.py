import pathlib

import torch

from cox import RiskNet, concordance, load, partial_likelihood

torch.manual_seed(3)
here = pathlib.Path(__file__).parent

x, months, died = load(here / "cohort_a.csv")
xv, mv, dv = load(here / "cohort_b.csv")
print(f"cohort A: {len(x)} patients, {int(died.sum())} deaths; cohort B: {len(xv)} patients, {int(dv.sum())} deaths")

net = RiskNet(x.shape[1])
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.02)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=60)

for epoch in range(60):
    net.train()
    running = []
    for rows in torch.randperm(len(x)).split(128):
        opt.zero_grad()
        loss = partial_likelihood(net(x[rows]), months[rows], died[rows])
        loss.backward()
        opt.step()
        running.append(loss.item())
    sched.step()
    if epoch % 5 == 4:
        net.eval()
        with torch.no_grad():
            ra, rb = net(x), net(xv)
            print(f"epoch {epoch + 1:2d}  partial nll {sum(running) / len(running):.4f}  "
                  f"C-index A {concordance(ra, months, died):.3f}  C-index B {concordance(rb, mv, dv):.3f}")
