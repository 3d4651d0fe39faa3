from .clips import ClipFolder
