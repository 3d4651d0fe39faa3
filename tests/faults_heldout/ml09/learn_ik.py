"""Density of the joint angles that reach a pose: several elbow positions are possible, hence a mixture."""
import math

import torch
from torch.utils.data import DataLoader, TensorDataset

from armik import Arm, IKNet, nll

EPOCHS, BATCH, PEAK, WARMUP = 16, 64, 2e-3, 150
torch.manual_seed(44)

arm = Arm()
train = TensorDataset(*arm.dataset(6000))
held_pose, held_joints = arm.dataset(1500)
loader = DataLoader(train, batch_size=BATCH, shuffle=True, drop_last=True)

net = IKNet()
opt = torch.optim.AdamW(net.parameters(), lr=PEAK, weight_decay=1e-4)
total_steps = EPOCHS * len(loader)
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min((s + 1) / WARMUP, 0.5 * (1 + math.cos(math.pi * s / total_steps)) + 0.01))


def tip_error(params):
    """Distance between the wanted tip and the tip of the most probable component."""
    log_weight, mean, _ = params
    best = mean[torch.arange(len(mean)), log_weight.argmax(-1)]
    return (arm.tip(best)[:, :2] - held_pose[:, :2]).norm(dim=-1).median().item()


for epoch in range(1, EPOCHS + 1):
    net.train()
    running = 0.0
    for pose, joints in loader:
        loss = nll(net(pose), joints)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        opt.step()
        sched.step()
        running += loss.item()
    net.eval()
    with torch.no_grad():
        params = net(held_pose)
        held = nll(params, held_joints).item()
    print(f"epoch {epoch:2d}  nll {running / len(loader):7.3f}  held-out nll {held:7.3f}  tip error {1000 * tip_error(params):6.1f} mm")
