"""Logs as tables: Arrow without copying a string twice, and pandas from it.

`log` is a `QueryLog`, whose methods these are the work of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.arrays import Int32s

if TYPE_CHECKING:
    import pandas as pd
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
        columns["ip"] = pa.array(_format_addresses(log), pa.string())
    if log.cookie is not None and log.cookies is not None:
        columns["cookie"] = encode_column(log.cookie, log.cookies)
    return pa.table(columns)


def log_to_pandas(log: Any) -> pd.DataFrame:
    """The same for pandas: categories of strings, UTC times, and nulls where nothing is."""

    frame: pd.DataFrame = log_to_arrow(log).to_pandas(types_mapper=_whole_numbers)
    return frame


def _whole_numbers(kind: pa.DataType) -> object:
    """Whole numbers with nulls stay whole numbers."""
    import pandas as pd
    import pyarrow as pa

    return pd.Int16Dtype() if kind == pa.int16() else None


def _format_addresses(log: Any) -> list[str | None]:
    """IPv4 addresses as people write them; each distinct one is written once."""
    import ipaddress

    assert log.ip is not None
    distinct, places = np.unique(log.ip, return_inverse=True)
    written = [str(ipaddress.IPv4Address(int(one))) if one else None for one in distinct]
    return [written[place] for place in places.tolist()]
