"""Field of research from words and citations.  usage: python run.py setup.json"""
import json
import sys
from types import SimpleNamespace

import torch
import torch.nn.functional as F

import hooks
from citations import CitationNet, load_graph
from engine import Engine

setup = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "setup.json"))
torch.manual_seed(setup["seed"])

graph = load_graph(setup["graph"])
net = CitationNet(graph.feat.shape[1], int(graph.field.max()) + 1, **setup["net"])
opt = torch.optim.Adam(net.parameters(), lr=setup["lr"], weight_decay=setup["weight_decay"])
plan = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=setup["rounds"])


def objective():
    return F.cross_entropy(net(graph.feat, graph.adj)[graph.fit], graph.field[graph.fit])


engine = Engine()
for name, rank in setup["hooks"].items():
    event, hook = hooks.TABLE[name]
    engine.on(event, hook, rank)

engine.run(SimpleNamespace(net=net, opt=opt, plan=plan, graph=graph, objective=objective,
                           every=setup["every"]), setup["rounds"])
