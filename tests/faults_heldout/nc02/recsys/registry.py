class Registry(dict):
    """Maps a configuration name to a class or function."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def register(self, name):
        def decorator(obj):
            if name in self:
                raise KeyError(f"{self.kind} '{name}' registered twice")
            self[name] = obj
            return obj
        return decorator

    def build(self, name, *args, **kwargs):
        if name not in self:
            raise KeyError(f"unknown {self.kind} '{name}', have {sorted(self)}")
        return self[name](*args, **kwargs)


MODELS = Registry("model")
LOSSES = Registry("loss")
