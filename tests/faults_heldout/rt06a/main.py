import torch

from cox.cohort import load
from cox.model import RiskNet, concordance, partial_likelihood

EPOCHS = 60
BATCH = 48

torch.manual_seed(1234)
(fx, ft, fe), (vx, vt, ve) = load("data")
print(f"{len(fx)} patients to fit, {len(vx)} to validate, {int(fe.sum())} events")

net = RiskNet(fx.shape[1], width=64, p=0.25)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.1)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS)

for epoch in range(EPOCHS):
    net.train()
    total, steps = 0.0, 0
    for idx in torch.randperm(len(fx)).split(BATCH):
        loss = partial_likelihood(net(fx[idx]), ft[idx], fe[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        steps += 1
    sched.step()
    if epoch % 5 == 4:
        net.eval()
        with torch.no_grad():
            r = net(vx)
            v_loss, v_c = partial_likelihood(r, vt, ve).item(), concordance(r, vt, ve)
            f_c = concordance(net(fx), ft, fe)
        print(f"epoch {epoch + 1}: fit nll {total / steps:.3f} c {f_c:.3f} | validate nll {v_loss:.3f} c {v_c:.3f}")
