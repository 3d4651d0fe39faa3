import tomllib
from pathlib import Path

import numpy as np
import torch

from agent import Agent
from memory import Replay
from warehouse import Warehouse


def check(agent, env):
    """Greedy run from every free cell: share of docked runs and share that are as short as possible."""
    docked = optimal = 0
    best = env.shortest()
    for start, d in best.items():
        o = env.reset(start)
        while True:
            o, r, term, trunc = env.step(agent.act(o))
            if term or trunc:
                break
        ok = term and r > 0
        docked += ok
        optimal += ok and env.t == d
    return docked / len(best), optimal / len(best)


def main():
    cfg = tomllib.loads(Path(__file__).with_name("settings.toml").read_text())
    torch.manual_seed(cfg["seed"])
    rng = np.random.default_rng(cfg["seed"])
    env, probe = Warehouse(cfg["seed"] + 1), Warehouse(cfg["seed"] + 2)
    o = env.reset()
    agent = Agent(len(o), 4, cfg["lr"], cfg["gamma"], cfg["tau"])
    memory = Replay(cfg["memory"], len(o), cfg["seed"] + 3)

    losses, qs, rets, ret = [], [], [], 0.0
    for step in range(1, cfg["steps"] + 1):
        frac = min(1.0, step / cfg["eps_steps"])
        eps = cfg["eps_start"] + frac * (cfg["eps_end"] - cfg["eps_start"])
        a = int(rng.integers(4)) if rng.random() < eps else agent.act(o)
        n, r, term, trunc = env.step(a)
        memory.add(o, a, r, n, float(term))
        ret += r
        o = n
        if term or trunc:
            rets.append(ret)
            ret, o = 0.0, env.reset()
        if step > cfg["warmup_steps"] and step % cfg["learn_every"] == 0:
            loss, q = agent.learn(memory.draw(cfg["batch"]))
            losses.append(loss), qs.append(q)
        if step % 1000 == 0:
            docked, optimal = check(agent, probe)
            print(f"step {step:5d}  eps {eps:.2f}  td loss {np.mean(losses[-400:]):.5f}  mean q {np.mean(qs[-400:]):+.3f}  "
                  f"return {np.mean(rets[-40:]):+.3f}  docked {docked:.2f}  shortest {optimal:.2f}")


if __name__ == "__main__":
    main()
