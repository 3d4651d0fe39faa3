import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from gru4rec import GRU4Rec
from sessions import NextClick, WINDOW, read_sessions


def recommend(model, sessions, n_items, k):
    """Share of held-out sessions whose last click is among the k best scored items."""
    model.eval()
    hits = 0
    with torch.no_grad():
        for s in sessions:
            h = s[:-1][-WINDOW:]
            x = torch.tensor([[n_items] * (WINDOW - len(h)) + h])
            hits += s[-1] in model(x)[0].topk(k).indices.tolist()
    model.train()
    return hits / len(sessions)


def main():
    torch.manual_seed(1)
    sessions = read_sessions("data/sessions.txt")
    n_items = max(max(s) for s in sessions) + 1
    cut = int(0.9 * len(sessions))
    train, held = sessions[:cut], sessions[cut:]
    loader = DataLoader(NextClick(train, n_items), batch_size=256, shuffle=True)
    model = GRU4Rec(n_items)
    opt = torch.optim.Adam(model.parameters(), lr=6e-3)
    for epoch in range(7):
        total, count = 0.0, 0
        for hist, target in loader:
            loss = F.cross_entropy(model(hist), target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(target)
            count += len(target)
        print(f"epoch {epoch} loss {total / count:.4f}")
    print("HR@10 on held-out sessions:", round(recommend(model, held, n_items, 10), 4))


if __name__ == "__main__":
    main()
