import torch
from torch import nn
from torch.distributions import Categorical, kl_divergence

from dock import DockEnv


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, width=96):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                nn.Linear(width, n_act))
        self.v = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                               nn.Linear(width, 1))

    def dist(self, obs):
        return Categorical(logits=self.pi(obs))


class Learner:
    def __init__(self, net, lr=1e-3, target=0.01):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.beta = 0.5
        self.target = target
        self.drift = torch.zeros(())

    def update(self, obs, act, adv, ret, epochs=2, batches=4):
        with torch.no_grad():
            old = self.net.dist(obs)
            old_lp = old.log_prob(act)
        for _ in range(epochs):
            for idx in torch.randperm(len(obs)).chunk(batches):
                new = self.net.dist(obs[idx])
                ratio = (new.log_prob(act[idx]) - old_lp[idx]).exp()
                kl = kl_divergence(Categorical(logits=old.logits[idx]), new).mean()
                value = self.net.v(obs[idx]).squeeze(-1)
                loss = -(ratio * adv[idx]).mean() + self.beta * kl + 0.5 * (value - ret[idx]).pow(2).mean()
                loss = loss - 0.003 * new.entropy().mean()
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.opt.step()
        moved = kl_divergence(old, self.net.dist(obs)).mean()
        self.drift = 0.9 * self.drift + 0.1 * moved
        if self.drift > 1.5 * self.target:
            self.beta = min(self.beta * 1.3, 20.0)
        elif self.drift < self.target / 1.5:
            self.beta = max(self.beta / 1.3, 0.02)
        return value.mean().item()


@torch.no_grad()
def collect(env, net, gamma=0.97, lam=0.95):
    obs, done = env.reset(), False
    O, A, R, V = [], [], [], []
    while not done:
        a = net.dist(obs).sample()
        O.append(obs), A.append(a), V.append(net.v(obs).squeeze(-1))
        obs, r, done = env.step(a)
        R.append(r)
    V.append(torch.zeros_like(V[0]))
    adv, run = [], torch.zeros_like(R[0])
    for t in reversed(range(len(R))):
        run = R[t] + gamma * V[t + 1] - V[t] + gamma * lam * run
        adv.append(run)
    adv = torch.stack(adv[::-1])
    ret = adv + torch.stack(V[:-1])
    flat = lambda x: x.flatten(0, 1)
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    return flat(torch.stack(O)), flat(torch.stack(A)), flat(adv), flat(ret), torch.stack(R).sum(0).mean().item()


def main(updates=100, envs=128):
    torch.manual_seed(9)
    env = DockEnv(envs, seed=4)
    net = ActorCritic(env.n_obs, env.n_act)
    learner = Learner(net)
    for u in range(1, updates + 1):
        obs, act, adv, ret, score = collect(env, net)
        learner.update(obs, act, adv, ret)
        if u % 10 == 0 or u == 1:
            print(f"update {u:4d} return {score:8.3f} kl {learner.drift.item():.4f} beta {learner.beta:.3f}")


if __name__ == "__main__":
    main()
