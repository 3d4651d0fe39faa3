"""Wine cultivar embedding for nearest-neighbour lookup."""
import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from metric.losses import BatchHardTriplet
from metric.model import Embedder
from metric.sampling import ClassBalancedBatches

SEED = 7


def knn_accuracy(model, x_ref, y_ref, x_query, y_query, k=5):
    with torch.no_grad():
        sim = model(x_query) @ model(x_ref).t()
    votes = y_ref[sim.topk(k, dim=1).indices]
    return (votes.mode(1).values == y_query).float().mean().item()


def main():
    torch.manual_seed(SEED)
    wine = load_wine()
    xtr, xte, ytr, yte = train_test_split(wine.data, wine.target, test_size=0.3, stratify=wine.target, random_state=SEED)
    scaler = StandardScaler().fit(xtr)
    x_train = torch.tensor(scaler.transform(xtr), dtype=torch.float32)
    x_test = torch.tensor(scaler.transform(xte), dtype=torch.float32)
    y_train, y_test = torch.tensor(ytr), torch.tensor(yte)

    model = Embedder()
    criterion = BatchHardTriplet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    batches = ClassBalancedBatches(ytr, per_class=12, n_batches=40, seed=SEED)

    for epoch in range(12):
        total = 0.0
        for idx in batches:
            loss = criterion(model(x_train[idx]), y_train[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += float(loss.detach())
        acc = knn_accuracy(model, x_train, y_train, x_test, y_test)
        print(f"epoch {epoch:2d}  triplet {total / len(batches):.4f}  knn acc {acc:.4f}")


if __name__ == "__main__":
    main()
