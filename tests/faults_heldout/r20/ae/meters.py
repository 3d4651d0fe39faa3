class History:
    """Collects per-step scalars and reports averages."""

    def __init__(self):
        self.values = {}

    def add(self, **kw):
        for k, v in kw.items():
            self.values.setdefault(k, []).append(v)

    def mean(self, key, last=None):
        v = self.values[key]
        v = v[-last:] if last else v
        return (sum(v) / len(v)).item()
