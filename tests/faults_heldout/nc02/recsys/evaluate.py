import torch


@torch.no_grad()
def ranking_metrics(model, data, top_k):
    model.eval()
    users = torch.arange(data.n_users)
    scores = model.score_all(users)
    scores[torch.from_numpy(data.seen)] = float("-inf")
    target = scores.gather(1, data.held_out.unsqueeze(1))
    rank = (scores > target).sum(dim=1)
    hit = (rank < top_k).float()
    ndcg = hit / torch.log2(rank.float() + 2)
    return hit.mean().item(), ndcg.mean().item()
