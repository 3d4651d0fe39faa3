from collections import defaultdict


class LayerProbe:
    """Watches chosen layers and reports the share of positive outputs of the latest pass."""

    def __init__(self, net, names):
        self.taken = defaultdict(list)
        self.handles = [net.get_submodule(n).register_forward_hook(self._hook(n)) for n in names]

    def _hook(self, name):
        def fn(module, inputs, output):
            self.taken[name].append(output.detach())

        return fn

    def active_share(self):
        return {n: round((v[-1] > 0).float().mean().item(), 3) for n, v in self.taken.items()}

    def remove(self):
        for h in self.handles:
            h.remove()
