import numpy as np
import torch
from torch import nn

from agent import ActorCritic
from pole import PoleBatch

N_ENV, HORIZON, ITERS = 16, 64, 60
EPOCHS, MINIBATCH = 6, 256
GAMMA, LAMBDA, CLIP = 0.99, 0.95, 0.2
VF, ENT, LR = 0.5, 0.005, 1e-3


def collect(env, net):
    obs, act, logp, val, rew, cut, nxt, lengths = [], [], [], [], [], [], [], []
    for _ in range(HORIZON):
        o = torch.from_numpy(env.observe())
        with torch.no_grad():
            d = net.dist(o)
            a = d.sample()
            obs.append(o)
            act.append(a)
            logp.append(d.log_prob(a))
            val.append(net.value(o))
        failed, timeout, final, ended = env.step(a.numpy())
        with torch.no_grad():
            v_next = net.value(torch.from_numpy(final))
        nxt.append(v_next * torch.from_numpy(~failed).float())
        rew.append(torch.full((N_ENV,), 0.1))
        cut.append(torch.from_numpy(failed | timeout).float())
        lengths.extend(ended.tolist())
    adv, run = [], torch.zeros(N_ENV)
    for t in reversed(range(HORIZON)):
        delta = rew[t] + GAMMA * nxt[t] - val[t]
        run = delta + GAMMA * LAMBDA * (1 - cut[t]) * run
        adv.append(run)
    adv = torch.stack(adv[::-1])
    val = torch.stack(val)
    flat = lambda z: torch.cat(list(z))
    return flat(obs), flat(act), flat(logp), flat(adv), flat(adv + val), lengths


def greedy_length(net, seed, n=16):
    env = PoleBatch(n, seed)
    done = np.zeros(n, dtype=bool)
    length = np.zeros(n)
    for _ in range(PoleBatch.T_LIM):
        with torch.no_grad():
            a = net.actor(torch.from_numpy(env.observe())).argmax(1).numpy()
        failed, timeout, _, _ = env.step(a)
        length += ~done
        done |= failed | timeout
        if done.all():
            break
    return length.mean()


def main(seed=6):
    torch.manual_seed(seed)
    env, net = PoleBatch(N_ENV, seed), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=LR, eps=1e-5)
    recent = []
    for it in range(1, ITERS + 1):
        for g in opt.param_groups:
            g["lr"] = LR * (1 - (it - 1) / ITERS)
        obs, act, old, adv, ret, ended = collect(env, net)
        recent = (recent + ended)[-50:]
        pl = vl = n = 0
        for _ in range(EPOCHS):
            for idx in torch.randperm(len(obs)).split(MINIBATCH):
                d = net.dist(obs[idx])
                ratio = (d.log_prob(act[idx]) - old[idx]).exp()
                a = adv[idx]
                a = (a - a.mean()) / (a.std() + 1e-8)
                policy = -torch.min(ratio * a, ratio.clamp(1 - CLIP, 1 + CLIP) * a).mean()
                value = 0.5 * (net.value(obs[idx]) - ret[idx]).pow(2).mean()
                loss = policy + VF * value - ENT * d.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
                pl, vl, n = pl + policy.item(), vl + value.item(), n + 1
        if it % 6 == 0:
            print(f"iter {it:3d}  policy {pl / n:+.4f}  value {vl / n:.4f}  "
                  f"episode length {np.mean(recent):6.1f}")
    print("greedy policy, mean length over 16 fresh poles:", greedy_length(net, seed + 1000))


if __name__ == "__main__":
    main()
