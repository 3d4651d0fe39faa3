import torch
import torch.nn as nn

from env import Warehouse

ORDERS = torch.tensor([0.0, 3.0, 6.0, 9.0, 12.0, 15.0])
ITERS, SHOPS, EVAL_EVERY = 200, 32, 20


class ActorCritic(nn.Module):
    def __init__(self, d, actions, h=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, actions))
        self.v = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, 1))
        with torch.no_grad():
            self.pi[-1].weight.mul_(0.01)
            self.pi[-1].bias.zero_()

    def forward(self, s):
        return torch.distributions.Categorical(logits=self.pi(s)), self.v(s).squeeze(-1)


def rollout(env, net):
    s, done, seq = env.reset(), False, []
    while not done:
        with torch.no_grad():
            dist, v = net(s)
            a = dist.sample()
        nxt, r, done = env.step(ORDERS[a])
        seq.append((s, a, r, v))
        s = nxt
    S, A, R, V = (torch.stack(c) for c in zip(*seq))
    return S, A, R, V


def advantages(R, V, gamma=1.0, lam=0.9):
    adv, acc = torch.zeros_like(R), 0.0
    nextv = torch.zeros_like(V[0])
    for t in reversed(range(len(R))):
        delta = R[t] + gamma * nextv - V[t]
        acc = delta + gamma * lam * acc
        adv[t] = acc
        nextv = V[t]
    return adv, adv + V


@torch.no_grad()
def greedy_profit(net, seed, n=512):
    env = Warehouse(n, torch.Generator().manual_seed(seed))
    s, done, total = env.reset(), False, torch.zeros(n)
    while not done:
        s, r, done = env.step(ORDERS[net(s)[0].probs.argmax(1)])
        total += r
    return total.mean().item()


def main():
    torch.manual_seed(77)
    env = Warehouse(SHOPS, torch.Generator().manual_seed(1))
    net = ActorCritic(env.reset().shape[1], len(ORDERS))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    scale = 20.0
    for it in range(ITERS):
        for g in opt.param_groups:
            g["lr"] = 5e-3 * (1 - it / ITERS)
        S, A, R, V = rollout(env, net)
        adv, target = advantages(R / scale, V)
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        S, A, adv, target = S.flatten(0, 1), A.flatten(), adv.flatten(), target.flatten()
        old = net(S)[0].log_prob(A).detach()
        for _ in range(4):
            for idx in torch.randperm(len(S)).split(240):
                dist, v = net(S[idx])
                ratio = (dist.log_prob(A[idx]) - old[idx]).exp()
                surr = torch.minimum(ratio * adv[idx], ratio.clamp(0.8, 1.2) * adv[idx]).mean()
                loss = -surr + 0.5 * (v - target[idx]).pow(2).mean() - 0.003 * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
        if it % EVAL_EVERY == 0 or it == ITERS - 1:
            print(f"iteration {it:3d} loss {loss.item():+.4f} sampled profit {R.sum(0).mean().item():7.2f} "
                  f"(sd {R.sum(0).std().item():.1f}) greedy profit {greedy_profit(net, 5):7.2f}")


if __name__ == "__main__":
    main()
