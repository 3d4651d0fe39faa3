import json
import pathlib

import torch
import torch.nn.functional as F

from citegraph.callbacks import EarlyStopping
from citegraph.gcn import GCN
from citegraph.graphs import block_graph
from citegraph.report import History, field_table, graph_summary


@torch.no_grad()
def scores(model, x, adj, y, split):
    model.eval()
    pred = model(x, adj).argmax(1)
    return {s: (pred[i] == y[i]).float().mean().item() for s, i in split.items()}


def main():
    cfg = json.loads((pathlib.Path(__file__).parent / "settings.json").read_text())
    torch.manual_seed(cfg["seed"])
    x, adj, y, split = block_graph()
    info = graph_summary(adj, y)
    print("{papers} papers, {citations} citations, homophily {homophily:.2f}".format(**info))
    model = GCN(x.shape[1], cfg["hidden"], int(y.max()) + 1, cfg["dropout"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    stopper = EarlyStopping(cfg["patience"], cfg["min_delta"])
    history = History("citegraph_run")
    tr = split["train"]
    for epoch in range(cfg["max_epochs"]):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(x, adj)[tr], y[tr])
        loss.backward()
        opt.step()
        acc = scores(model, x, adj, y, split)
        history.add(epoch=epoch, loss=round(loss.item(), 5), train=acc["train"], val=acc["val"])
        if epoch % 10 == 0:
            print(f"[{epoch:03d}] loss={loss.item():.4f} train={acc['train']:.3f} val={acc['val']:.3f}")
        if stopper.update(acc["val"], model):
            print(f"no further gain, stopping at epoch {epoch}")
            break
    model.load_state_dict(stopper.weights)
    acc = scores(model, x, adj, y, split)
    print(f"final: val={acc['val']:.3f} test={acc['test']:.3f}")
    for k, n, prec, rec in field_table(model, x, adj, y, split["test"]):
        print(f"  field {k}: {n} papers, precision {prec:.3f}, recall {rec:.3f}")
    print("history in", history.write())


if __name__ == "__main__":
    main()
