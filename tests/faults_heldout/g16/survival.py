"""Cox proportional hazards with a small network; Breslow partial likelihood, full batch."""
import logging
import sys

import numpy as np
import torch

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
log = logging.getLogger(__name__)


def cohort(n=1600, seed=40):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 8)).astype(np.float32)
    risk = 0.9 * x[:, 0] - 0.7 * x[:, 1] + 0.6 * x[:, 2] ** 2 - 0.5 * x[:, 3] * x[:, 4]
    death = rng.exponential(1 / (0.08 * np.exp(risk)))
    censor = rng.exponential(18, n)
    time = np.minimum(death, censor).astype(np.float32)
    event = (death <= censor).astype(np.float32)
    return map(torch.from_numpy, (x, time, event, risk.astype(np.float32)))


def neg_log_partial_likelihood(score, time, event):
    order = torch.argsort(time, descending=True)
    score, event = score[order], event[order]
    log_risk_set = torch.logcumsumexp(score, dim=0)       # everyone still under observation
    return -((score - log_risk_set) * event).sum() / event.sum()


def concordance(score, time, event):
    comparable = (time[:, None] < time[None, :]) & (event[:, None] == 1)
    higher = (score[:, None] > score[None, :]).float() + 0.5 * (score[:, None] == score[None, :]).float()
    return (higher * comparable).sum().item() / comparable.sum().item()


def main(steps=200, report_every=20):
    torch.manual_seed(2)
    x, time, event, true_risk = cohort()
    tr, va, te = slice(0, 1000), slice(1000, 1250), slice(1250, 1600)
    net = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), torch.nn.Dropout(0.2),
                              torch.nn.Linear(32, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3, weight_decay=1e-2)
    best, best_state = float("inf"), None
    log.info("%d of %d are events, C-index of the true risk on test: %.3f", int(event.sum()), len(event),
             concordance(true_risk[te], time[te], event[te]))
    for step in range(1, steps + 1):
        net.train()
        opt.zero_grad()
        loss = neg_log_partial_likelihood(net(x[tr]).squeeze(-1), time[tr], event[tr])
        loss.backward()
        opt.step()
        if step % report_every == 0:
            net.eval()
            with torch.no_grad():
                s = net(x[va]).squeeze(-1)
                val = neg_log_partial_likelihood(s, time[va], event[va]).item()
            log.info("step %3d  train nll %.4f  val nll %.4f  val C %.3f", step, loss.item(), val,
                     concordance(s, time[va], event[va]))
            if val < best:
                best, best_state = val, {k: v.clone() for k, v in net.state_dict().items()}
    net.load_state_dict(best_state)
    net.eval()
    with torch.no_grad():
        log.info("test C-index %.3f", concordance(net(x[te]).squeeze(-1), time[te], event[te]))


if __name__ == "__main__":
    main()
