class Registry:
    def __init__(self, kind):
        self.kind = kind
        self._items = {}

    def register(self, name):
        def deco(obj):
            if name in self._items:
                raise KeyError(f"{self.kind} {name!r} registered twice")
            self._items[name] = obj
            return obj
        return deco

    def build(self, name, *args, **kwargs):
        try:
            factory = self._items[name]
        except KeyError:
            raise KeyError(f"unknown {self.kind} {name!r}, have {sorted(self._items)}") from None
        return factory(*args, **kwargs)


MODELS = Registry("model")
OPTIMIZERS = Registry("optimizer")
SCHEDULERS = Registry("scheduler")
