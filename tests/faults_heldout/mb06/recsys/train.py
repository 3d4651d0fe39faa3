import torch
import torch.nn.functional as F


@torch.no_grad()
def hit_rate(scores, held_out, masked, k=10):
    scores = scores.masked_fill(masked, float("-inf"))
    top = scores.topk(k, dim=1).indices
    target = torch.tensor([held_out[u] for u in range(len(scores))])
    return (top == target[:, None]).any(1).float().mean().item()


def fit(model, plays, epochs, batch_size, lr, l2):
    opt = torch.optim.SparseAdam(model.parameters(), lr=lr)
    for epoch in range(1, epochs + 1):
        total = 0.0
        for idx in torch.randperm(len(plays.train)).split(batch_size):
            users, pos = plays.train[idx].unbind(1)
            margin, penalty = model(users, pos, plays.negatives(users))
            loss = -F.logsigmoid(margin).mean() + l2 * penalty
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 5 == 0:
            hr = hit_rate(model.all_scores(), plays.val, plays.seen)
            print(f"epoch {epoch:3d} loss {total / len(plays.train):.4f} val hit@10 {hr:.3f}")
