import time


class TableLogger:
    """Prints one aligned row per epoch."""

    def __init__(self, columns):
        self.columns = columns
        self.start = time.time()
        print("".join(f"{c:>12s}" for c in columns + ["seconds"]))

    def row(self, **values):
        cells = [values[c] for c in self.columns] + [round(time.time() - self.start, 1)]
        print("".join(f"{c:12.4f}" if isinstance(c, float) else f"{c:12d}" for c in cells))
