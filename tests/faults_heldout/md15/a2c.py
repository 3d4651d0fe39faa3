import torch
from torch import nn
from torch.distributions import Categorical

from shop import Shop

GAMMA, LAM, ITERS, ENVS, ROLL = 0.9, 0.9, 500, 48, 7


class ActorCritic(nn.Module):
    def __init__(self, obs=8, acts=6, h=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, acts))
        self.v = nn.Sequential(nn.Linear(obs, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))
        with torch.no_grad():
            self.pi[-1].weight.mul_(0.1)

    def forward(self, o):
        return Categorical(logits=self.pi(o)), self.v(o).squeeze(-1)


@torch.no_grad()
def play(policy, seed, n=512):
    env = Shop(n, torch.Generator().manual_seed(seed))
    o, total, done = env.obs(), torch.zeros(n), False
    while not done:
        o, r, done = env.step(policy(o, env))
        total += r
    return total.mean().item()


def up_to(levels):
    # order the amount that lifts the stock nearest to the level of that weekday
    def policy(o, env):
        want = (torch.tensor(levels)[env.day] - env.stock).clamp(min=0)
        return (want.unsqueeze(1) - torch.tensor(Shop.ORDERS).float()).abs().argmin(1)
    return policy


def main():
    torch.manual_seed(9)
    env = Shop(ENVS, torch.Generator().manual_seed(90))
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, ITERS)
    obs, avg = env.obs(), None
    for it in range(1, ITERS + 1):
        buf = []
        for _ in range(ROLL):
            with torch.no_grad():
                dist, v = net(obs)
                act = dist.sample()
            nxt, r, done = env.step(act)
            if done:
                # time limit: bootstrap from the state that was reached
                with torch.no_grad():
                    boot = net(nxt)[1]
                nxt = env.reset()
            else:
                boot = None
            buf.append((obs, act, r, v, boot))
            obs = nxt
        with torch.no_grad():
            after = net(obs)[1]
        adv, rows = torch.zeros(ENVS), []
        for o, a, r, v, boot in reversed(buf):
            if boot is not None:
                adv, after = torch.zeros(ENVS), boot
            delta = r + GAMMA * after - v
            adv = delta + GAMMA * LAM * adv
            rows.append((o, a, adv, adv + v))
            after = v
        o, a, A, ret = (torch.cat(t) for t in zip(*rows))
        A = (A - A.mean()) / (A.std() + 1e-8)
        dist, v = net(o)
        loss = -(dist.log_prob(a) * A).mean() + 0.5 * (v - ret).pow(2).mean() - 0.01 * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        sched.step()
        r = torch.stack([b[2] for b in buf]).mean().item()
        avg = r if avg is None else 0.9 * avg + 0.1 * r
        if it % 50 == 0:
            g = play(lambda q, e: net(q)[0].probs.argmax(1), seed=1)
            print(f"iter {it} loss {loss.item():+.3f} reward/day {avg:+.3f} greedy return {g:+.2f}")
    ref = max(play(up_to((Shop.DEMAND + k * Shop.DEMAND.sqrt()).tolist()), seed=1) for k in (0.5, 0.8, 1.1, 1.4))
    print(f"hand-tuned order-up-to rule: {ref:+.2f}")


if __name__ == "__main__":
    main()
