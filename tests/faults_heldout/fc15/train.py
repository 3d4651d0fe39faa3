import torch

from queries import make_queries
from ranker import Ranker, ndcg, pairwise_logistic

N_FEATURES, DOCS = 20, 24
QUERIES_PER_BATCH, EPOCHS = 16, 12
LR, MOMENTUM = 0.01, 0.9


def train_epoch(model, opt, x, rel):
    model.train()
    total, queries = 0.0, 0
    for idx in torch.randperm(len(x)).split(QUERIES_PER_BATCH):
        opt.zero_grad()
        loss = pairwise_logistic(model(x[idx]), rel[idx])
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
        queries += len(idx)
    return total / queries


def main():
    torch.manual_seed(21)
    x, rel = make_queries(900, DOCS, N_FEATURES, seed=1)
    xv, relv = make_queries(200, DOCS, N_FEATURES, seed=2)
    model = Ranker(N_FEATURES)
    opt = torch.optim.SGD(model.parameters(), lr=LR, momentum=MOMENTUM, weight_decay=1e-5)
    print(f"random order ndcg@10 {ndcg(torch.rand(relv.shape), relv):.4f}")
    for epoch in range(1, EPOCHS + 1):
        loss = train_epoch(model, opt, x, rel)
        model.eval()
        with torch.no_grad():
            print(f"epoch {epoch:2d}  loss/query {loss:.4f}  valid ndcg@10 {ndcg(model(xv), relv):.4f}")


if __name__ == "__main__":
    main()
