import torch
import torch.nn.functional as F


def clip(state):
    torch.nn.utils.clip_grad_norm_(state.net.parameters(), 5.0)


def apply(state):
    state.opt.step()


def wipe(state):
    state.opt.zero_grad()


def anneal(state):
    state.plan.step()


def report(state):
    net, g = state.net, state.graph
    net.eval()
    with torch.no_grad():
        logits = net(g.feat, g.adj)
    net.train()
    text = [f"round {state.round:4d}", f"loss {state.loss.item():.4f}"]
    for part in ("fit", "dev"):
        rows = getattr(g, part)
        ce = F.cross_entropy(logits[rows], g.field[rows]).item()
        acc = (logits[rows].argmax(1) == g.field[rows]).float().mean().item()
        text.append(f"{part} {ce:.4f}/{acc:.3f}")
    print("  ".join(text))


TABLE = {
    "clip": ("grads_ready", clip),
    "apply": ("grads_ready", apply),
    "wipe": ("grads_ready", wipe),
    "anneal": ("grads_ready", anneal),
    "report": ("report", report),
}
