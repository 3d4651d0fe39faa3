import ast
import sys
from types import SimpleNamespace

cfg = SimpleNamespace(
    corpus="corpus", seed=1337, block=48, batch=24, batches_per_epoch=10, epochs=54,
    emb=32, hidden=96, dropout=0.15, lr=5e-3, clip=1.0,
)
for arg in sys.argv[1:]:
    name, value = arg.lstrip("-").split("=")
    assert hasattr(cfg, name), name
    try:
        value = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        pass
    setattr(cfg, name, value)
