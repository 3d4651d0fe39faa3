import logging
from dataclasses import asdict

import torch
import torch.nn.functional as F

from gnn import GCN, Options, citation_like

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("gcn")


def accuracy(logits, y, mask):
    return (logits[mask].argmax(1) == y[mask]).float().mean().item()


def train(opt: Options):
    torch.manual_seed(opt.seed)
    gen = torch.Generator().manual_seed(opt.seed)
    graph = citation_like(opt.nodes, opt.topics, opt.vocab, gen)
    model = GCN(opt.vocab, opt.hidden, opt.topics, opt.layers, opt.dropout)
    optimizer = torch.optim.AdamW(model.parameters(), **asdict(opt.optim))

    for step in range(1, opt.steps + 1):
        model.train()
        logits = model(graph.x, graph.adj)
        loss = F.cross_entropy(logits[graph.train_mask], graph.y[graph.train_mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % opt.log_every == 0:
            model.eval()
            with torch.no_grad():
                logits = model(graph.x, graph.adj)
            log.info(
                "step %4d  loss %.4f  train %.3f  test %.3f",
                step, loss.item(),
                accuracy(logits, graph.y, graph.train_mask),
                accuracy(logits, graph.y, graph.test_mask),
            )


if __name__ == "__main__":
    train(Options())
