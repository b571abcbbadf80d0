"""Logs as Arrow tables, without copying a string twice.

`log` is a `QueryLog`, whose methods these are the work of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Array, Int32s, UInt32s

if TYPE_CHECKING:
    import pyarrow as pa


def log_to_arrow(log: Any) -> pa.Table:
    """All columns of a log: dictionaries of strings, UTC times, nulls for what isn't there.

    O(rows); strings are shared with the log.
    """
    import pyarrow as pa

    def encode_column(codes: Int32s, words: Any) -> pa.Array:
        indices = pa.array(codes, mask=codes < 0)
        return pa.DictionaryArray.from_arrays(indices, words.as_arrow())

    columns = {
        "user": encode_column(log.user, log.users),
        "query": encode_column(log.query, log.queries),
        "time": pa.array(log.time, pa.int64()).cast(pa.timestamp("s", tz="UTC")),
        "rank": pa.array(log.rank, mask=log.rank < 0),
        "url": encode_column(log.url, log.urls),
    }
    if log.ip is not None:
        columns["ip"] = format_addresses(log.ip).cast(pa.string())
    if log.cookie is not None and log.cookies is not None:
        columns["cookie"] = encode_column(log.cookie, log.cookies)
    columns |= {name: encode_column(*one) for name, one in log.attributes.items()}
    return pa.table(columns)


def format_numbers(values: Array, missing: int) -> pa.Array:
    """Whole numbers as text, the missing ones empty."""
    import pyarrow as pa

    return pa.array(values, mask=values == missing).cast(pa.large_string()).fill_null("")


def format_addresses(ip: UInt32s) -> pa.Array:
    """IPv4 addresses as people write them, null for 0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    octets = [(ip >> np.uint32(shift)) & np.uint32(255) for shift in (24, 16, 8, 0)]
    dotted = pc.binary_join_element_wise(
        *(format_numbers(octet, -1) for octet in octets), pa.scalar(".", pa.large_string())
    )
    return pc.if_else(pa.array(ip == 0), None, dotted)
