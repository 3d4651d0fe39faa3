import tomllib

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from routing.net import ConvRouter
from routing.tickets import QUEUES, TicketDataset, collate

with open("run.toml", "rb") as fh:
    conf = tomllib.load(fh)


def evaluate(net, loader):
    net.eval()
    loss, right, n = 0.0, 0, 0
    with torch.no_grad():
        for tokens, queue in loader:
            out = net(tokens)
            loss += float(cross_entropy(out, queue, reduction="sum"))
            right += int((out.argmax(1) == queue).sum())
            n += len(queue)
    net.train()
    return loss / n, right / n


def main():
    torch.manual_seed(conf["seed"])
    limit = conf["data"]["vocab_limit"]
    train_set = TicketDataset(conf["data"]["train"], limit)
    holdout = TicketDataset(conf["data"]["holdout"], limit)
    train_loader = DataLoader(train_set, conf["fit"]["batch"], shuffle=True, collate_fn=collate)
    holdout_loader = DataLoader(holdout, 128, collate_fn=collate)

    net = ConvRouter(limit, len(QUEUES), **conf["net"])
    optimizer = torch.optim.Adam(net.parameters(), lr=conf["fit"]["lr"])
    print(f"{len(train_set)} train / {len(holdout)} holdout tickets, {len(train_set.vocab)} words")
    for epoch in range(conf["fit"]["epochs"]):
        mean = 0.0
        for tokens, queue in train_loader:
            loss = cross_entropy(net(tokens), queue)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean += loss.item() / len(train_loader)
        hl, ha = evaluate(net, holdout_loader)
        print(f"{epoch + 1:3d} train {mean:.3f} holdout {hl:.3f} ({ha:.1%})")


if __name__ == "__main__":
    main()
