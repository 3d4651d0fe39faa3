import re
import zlib


class Hasher:
    """Words to bucket numbers."""

    token = re.compile(r"[a-z0-9]+")

    def __init__(self, buckets):
        self.buckets = buckets

    def __call__(self, text):
        return [zlib.crc32(w.encode()) % self.buckets for w in self.token.findall(text.lower())] or [0]
