"""Reads the arrays of a .podium file (docs/formats/podium-cache.md) without a copy: for peers that take NumPy arrays."""
import struct

import numpy as np

HEADER = struct.Struct("<8sIIQQQQQQQII")
SECTION = struct.Struct("<IIQQ")
MAGIC = b"\x89PODIUM\n"
QUERY_BEGIN, LABELS, DENSE = 1, 2, 7


def arrays(path):
    """Features (documents × features), labels and the queries' lengths of a file with dense features."""
    with open(path, "rb") as file:
        head = HEADER.unpack(file.read(HEADER.size))
        if head[0] != MAGIC:
            raise ValueError(f"{path}: not a .podium file")
        documents, features, count = head[7], head[9], head[11]
        sections = {kind: (offset, elements) for kind, _, offset, elements in SECTION.iter_unpack(file.read(count * SECTION.size))}
    if DENSE not in sections:
        raise ValueError(f"{path}: its features are sparse")

    def section(kind, dtype):
        offset, elements = sections[kind]
        return np.memmap(path, dtype, "r", offset, (elements,))

    return section(DENSE, "<f4").reshape(documents, features), np.asarray(section(LABELS, "<f4")), np.diff(section(QUERY_BEGIN, "<u8")).astype(np.int64)
