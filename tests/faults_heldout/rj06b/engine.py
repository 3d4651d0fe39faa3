from collections import defaultdict


class Engine:
    """Runs named hooks on events, lowest rank first."""

    def __init__(self):
        self._hooks = defaultdict(list)

    def on(self, event, hook, rank):
        self._hooks[event].append((rank, len(self._hooks[event]), hook))
        self._hooks[event].sort(key=lambda entry: entry[:2])

    def fire(self, event, state):
        for _, _, hook in self._hooks[event]:
            hook(state)

    def run(self, state, rounds):
        for state.round in range(1, rounds + 1):
            state.loss = state.objective()
            state.loss.backward()
            self.fire("grads_ready", state)
            if state.round % state.every == 0:
                self.fire("report", state)
