import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs=4, actions=2, h=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, actions))
        self.v = nn.Sequential(nn.Linear(obs, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.orthogonal_(m.weight, 2 ** 0.5)
                nn.init.zeros_(m.bias)
        with torch.no_grad():
            self.pi[-1].weight.mul_(0.01)

    def value(self, s):
        return self.v(s).squeeze(-1)

    def dist(self, s):
        return Categorical(logits=self.pi(s))


SCALE = torch.tensor([1.0, 1.0, 8.0, 1.5])


@torch.no_grad()
def collect(net, env, horizon, gamma, lam):
    S, A, LP, V, DELTA, CONT, lengths = [], [], [], [], [], [], []
    for _ in range(horizon):
        s = env.s * SCALE
        d = net.dist(s)
        a = d.sample()
        v = net.value(s)
        nxt, r, fell, done, ls = env.step(a)
        target = r + gamma * net.value(nxt * SCALE) * (~fell)
        S.append(s), A.append(a), LP.append(d.log_prob(a)), V.append(v)
        DELTA.append(target - v), CONT.append((~done).float())
        lengths += ls
    adv, run = [], torch.zeros(env.n)
    for delta, cont in zip(reversed(DELTA), reversed(CONT)):
        run = delta + gamma * lam * cont * run
        adv.append(run)
    adv = torch.stack(adv[::-1])
    ret = adv + torch.stack(V)
    return [t.flatten(0, 1) for t in (torch.stack(S), torch.stack(A), torch.stack(LP), adv, ret)], lengths


def update(net, opt, batch, epochs, minibatch, clip, ent_coef):
    s, a, lp, adv, ret = batch
    stats = []
    for _ in range(epochs):
        for idx in torch.randperm(len(s)).split(minibatch):
            d = net.dist(s[idx])
            ratio = (d.log_prob(a[idx]) - lp[idx]).exp()
            ad = adv[idx]
            ad = (ad - ad.mean()) / (ad.std() + 1e-8)
            pg = -torch.min(ratio * ad, ratio.clamp(1 - clip, 1 + clip) * ad).mean()
            vf = F.mse_loss(net.value(s[idx]), ret[idx])
            ent = d.entropy().mean()
            loss = pg + 0.5 * vf - ent_coef * ent
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
            stats.append((pg.item(), vf.item(), ent.item()))
    return torch.tensor(stats).mean(0).tolist()
