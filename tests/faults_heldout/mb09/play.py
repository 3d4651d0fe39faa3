import argparse
from collections import deque

import torch

from agent.a2c import ActorCritic, advantages
from cartpole import CartPoles

ap = argparse.ArgumentParser()
ap.add_argument("--updates", type=int, default=300)
ap.add_argument("--envs", type=int, default=16)
ap.add_argument("--horizon", type=int, default=32)
ap.add_argument("--lr", type=float, default=2e-3)
ap.add_argument("--gamma", type=float, default=0.99)
ap.add_argument("--lam", type=float, default=0.95)
ap.add_argument("--entropy", type=float, default=0.01)
a = ap.parse_args()

torch.manual_seed(0)
g = torch.Generator().manual_seed(1)
net = ActorCritic()
opt = torch.optim.Adam(net.parameters(), lr=a.lr, eps=1e-5)
anneal = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=a.updates)
envs = CartPoles(a.envs, g)
recent = deque(maxlen=40)
value_scale = 1 - a.gamma        # values are learnt as a share of the largest return

for update in range(1, a.updates + 1):
    S, A, R, NS, END, CUT = [], [], [], [], [], []
    with torch.no_grad():
        for _ in range(a.horizon):
            s = envs.s
            act = net(s)[0].sample()
            ns, r, fell, timeout, lengths = envs.step(act)
            recent.extend(lengths)
            S.append(s); A.append(act); R.append(r * value_scale); NS.append(ns); END.append(fell); CUT.append(fell | timeout)
        S, A, R, NS, END, CUT = map(torch.stack, (S, A, R, NS, END, CUT))
        adv = advantages(R, net(S)[1], net(NS)[1], END, CUT, a.gamma, a.lam)
        target = adv + net(S)[1]
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)

    dist, value = net(S)
    policy_loss = -(dist.log_prob(A) * adv).mean()
    value_loss = (value - target).pow(2).mean()
    entropy = dist.entropy().mean()
    loss = policy_loss + 0.5 * value_loss - a.entropy * entropy
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()
    anneal.step()
    if update % 25 == 0 or update == 1:
        print(f"update {update:4d} loss {loss.item():+.4f} policy {policy_loss.item():+.4f} value {value_loss.item():.4f} "
              f"entropy {entropy.item():.3f} length of recent episodes {sum(recent) / max(1, len(recent)):.1f}")

test = CartPoles(64, torch.Generator().manual_seed(99))
alive, length = torch.ones(64, dtype=torch.bool), torch.zeros(64)
with torch.no_grad():
    for _ in range(200):
        _, _, fell, timeout, _ = test.step(net(test.s)[0].probs.argmax(-1))
        length += alive
        alive &= ~(fell | timeout)
print(f"greedy policy, 64 fresh starts: mean length {length.mean():.1f} of 200, shortest {length.min():.0f}")
