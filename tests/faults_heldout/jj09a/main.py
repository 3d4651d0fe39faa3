import configparser
import pathlib

import torch
import torch.nn.functional as F

from citegraph import GCN, build_graph

HERE = pathlib.Path(__file__).resolve().parent


def read_settings(path):
    ini = configparser.ConfigParser()
    with open(path) as fh:
        ini.read_file(fh)
    return ini


def make_optimizer(params, section):
    betas = (section.getfloat("beta1"), section.getfloat("beta2"))
    kinds = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "nadam": torch.optim.NAdam}
    return kinds[section["name"]](params, lr=section.getfloat("lr"), betas=betas, eps=section.getfloat("eps"),
                                  weight_decay=section.getfloat("weight_decay"))


@torch.no_grad()
def measure(model, x, adj, y, masks):
    model.eval()
    logits = model(x, adj)
    hit = (logits.argmax(1) == y).float()
    return {k: (F.cross_entropy(logits[m], y[m]).item(), hit[m].mean().item()) for k, m in masks.items()}


def main():
    ini = read_settings(HERE / "experiment.ini")
    g, m, run = ini["graph"], ini["model"], ini["run"]
    adj, x, y, masks = build_graph(g.getint("nodes"), g.getint("communities"), g.getint("words"),
                                   g.getfloat("inside"), g.getfloat("outside"), g.getint("seed"))
    torch.manual_seed(run.getint("seed"))
    model = GCN(x.shape[1], m.getint("hidden"), g.getint("communities"), m.getint("layers"), m.getfloat("dropout"))
    optimizer = make_optimizer(model.parameters(), ini["optimizer"])

    for epoch in range(1, run.getint("epochs") + 1):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, adj)[masks["train"]], y[masks["train"]])
        loss.backward()
        optimizer.step()
        if epoch % run.getint("print_every") == 0 or epoch == 1:
            s = measure(model, x, adj, y, masks)
            print(f"epoch {epoch:4d}  loss {loss.item():.4f}  val loss {s['val'][0]:.4f}  val acc {s['val'][1]:.3f}")
    s = measure(model, x, adj, y, masks)
    print(f"test acc {s['test'][1]:.3f}")
    torch.save(model.state_dict(), HERE / "gcn.pt")


if __name__ == "__main__":
    main()
