import torch
from survival import HazardNet, hazard_nll, load_cohort
from survival.data import N_BINS


def concordance(score, time, event):
    """Share of comparable pairs that the score orders rightly."""
    earlier = (time[:, None] < time[None]) & event[:, None]
    higher = (score[:, None] > score[None]).double() + 0.5 * (score[:, None] == score[None]).double()
    return (higher[earlier].mean()).item()


def expected_risk(logits):
    surv = torch.cumprod(1 - torch.sigmoid(logits), 1)
    return -surv.sum(1)


def per_interval_nll(logits, k, event):
    n = (k + 1).sum().item()
    lp, lq = torch.nn.functional.logsigmoid(logits), torch.nn.functional.logsigmoid(-logits)
    bins = torch.arange(logits.shape[1])
    ll = torch.where((bins[None] == k[:, None]) & event[:, None], lp, lq)
    return -(ll * (bins[None] <= k[:, None])).sum().item() / n


def main():
    torch.manual_seed(4)
    x, k, e, t = load_cohort()
    n_tr = 2400
    net = HazardNet(x.shape[1], N_BINS)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for epoch in range(15):
        net.train()
        order = torch.randperm(n_tr)
        for j in range(0, n_tr, 96):
            b = order[j:j + 96]
            opt.zero_grad()
            loss = hazard_nll(net(x[b]), k[b], e[b])
            loss.backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            tr, va = net(x[:n_tr]), net(x[n_tr:])
        print(f"epoch {epoch:2d}  loss {loss.item():9.3f}  nll/interval train {per_interval_nll(tr, k[:n_tr], e[:n_tr]):.4f} "
              f"val {per_interval_nll(va, k[n_tr:], e[n_tr:]):.4f}  val c-index "
              f"{concordance(expected_risk(va), t[n_tr:], e[n_tr:]):.3f}")


if __name__ == "__main__":
    main()
