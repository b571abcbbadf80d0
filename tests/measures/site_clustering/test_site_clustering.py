"""Clusters of web sites: by hand, against plain Python and SciPy's own linkage, and in words."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from auditor.errors import ParameterError
from auditor.measures.base import MeasureResult
from auditor.measures.site_clustering import (
    MEASURE,
    cluster_purity,
    cluster_sites,
    pair_agreement,
    site_similarity,
    sites_of,
)
from auditor.progress import silent_progress
from tests.measures.fakes import log_of, release_of, tables_of, take, values_of

CLICKS = {
    ("words", "http://a.example/1"): 6,
    ("words", "http://b.example/x"): 3,
    ("tune", "http://a.example/2"): 2,
    ("tune", "http://c.example"): 1,
    ("money", "http://d.example"): 5,
    ("money", "http://e.example"): 9,
    ("loan", "http://e.example"): 1,
    ("loan", "http://f.example"): -4,
}
TABLES = tables_of({"words": 9, "tune": 3, "money": 14, "loan": 2}, CLICKS)


def test_that_sites_stand_by_their_clicks_and_are_cut_into_clusters() -> None:
    sites = sites_of(TABLES, 10, pages=False, progress=silent_progress())
    assert sites.names == ("e.example", "a.example", "d.example", "b.example", "c.example")
    assert sites.clicks.tolist() == [10, 8, 5, 3, 1]
    # Alike are a and b by 6/8, a and c by 2/8, d and e by 9/10.
    assert cluster_sites(sites.alike, 0.5).tolist() == [0, 1, 0, 1, 2]
    assert cluster_sites(sites.alike, 0.2).tolist() == [0, 1, 0, 1, 1]
    assert cluster_sites(sites.alike, 0.95).tolist() == [0, 1, 2, 3, 4]


def test_that_pages_can_stand_for_themselves_and_the_most_clicked_are_taken() -> None:
    sites = sites_of(TABLES, 3, pages=True, progress=silent_progress())
    assert sites.names == ("http://e.example", "http://a.example/1", "http://d.example")


@given(
    st.integers(2, 8).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=1, max_size=6
        )
    ),
    st.sampled_from([0.2, 0.5, 0.8]),
)
def test_that_clusters_are_those_of_single_linkage(cells: list[list[int]], cut: float) -> None:
    counts = np.array(cells, dtype=np.float64)
    counts[0, counts.sum(axis=0) == 0] = 1
    queries, size = counts.shape
    plain = np.zeros((size, size))
    for v in range(size):
        for w in range(size):
            common = [q for q in range(queries) if counts[q, v] and counts[q, w]]
            mine, other = (counts[common, s].sum() / counts[:, s].sum() for s in (v, w))
            plain[v, w] = min(mine, other) if v != w else 0
    alike = site_similarity(sparse.coo_array(counts).tocsr())
    np.testing.assert_allclose(alike.toarray(), plain)
    apart = 1 - plain
    np.fill_diagonal(apart, 0)
    tree = linkage(squareform(apart, checks=False), "single")
    expected = fcluster(tree, 1 - cut + 1e-12, "distance")
    labels = cluster_sites(alike, cut - 1e-12)
    assert (labels[:, None] == labels).tolist() == (expected[:, None] == expected).tolist()


def test_that_purity_is_the_share_of_each_clusters_most_frequent_label() -> None:
    # 17 sites in three clusters with 5, 4 and 3 of their most frequent label: 12/17
    labels = [*"xxxxxo", *"ooooxd", *"dddxx"]
    owner = np.array([0] * 6 + [1] * 6 + [2] * 5)
    assert cluster_purity(owner, labels) == pytest.approx(12 / 17)
    assert np.isnan(cluster_purity(owner[:0], []))


def test_that_agreement_counts_pairs_and_what_is_missing() -> None:
    first = {"a": 0, "b": 0, "c": 0, "d": 1, "e": 1}
    # together in both: a,b; only before: a,c and b,c; only after: c,d. d,e is lost: e is missing.
    agreement, everything = pair_agreement(first, {"a": 5, "b": 5, "c": 6, "d": 6})
    assert agreement == pytest.approx(1 / 4)
    assert everything == pytest.approx(1 / 5)
    assert pair_agreement(first, first) == (1, 1)
    nothing, lost = pair_agreement(first, {})
    assert np.isnan(nothing)
    assert lost == 0


LOG = log_of(
    [
        (f"u{i}", query, 10 * i, page)
        for i in range(3)
        for query, page in [
            *[("words", "http://a.example/1"), ("words", "http://b.example"), ("x", "http://x.y")],
            *[("money", "http://d.example"), ("money", "http://e.example"), ("none", None)],
        ]
    ]
)


def taken(content: Any, log: Any = LOG, **values: Any) -> MeasureResult:
    return take(MEASURE, log, release_of(content), **values)


def test_that_a_release_that_is_the_log_agrees_with_it() -> None:
    metrics = values_of(taken(LOG))
    assert metrics == {
        "sites.found": 1,
        "sites.agreement": 1,
        "sites.agreement_all": 1,
        "sites.clusters": 2,
    }


def test_that_clusters_are_listed_with_their_clusters_in_the_log() -> None:
    table = taken(TABLES).tables[0]
    assert table.private
    assert [row[:2] for row in table.rows] == [
        (1, "e.example"),
        (1, "d.example"),
        (2, "a.example"),
        (2, "b.example"),
    ]
    # d and e stand together in the log as well, as a and b do, but not with one another
    assert table.rows[0][3] == table.rows[1][3] != table.rows[2][3] == table.rows[3][3]


def test_that_labels_give_a_purity_beside_that_of_chance(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("site,label\na.example,songs\nhttp://b.example,songs\nd.example,banks\n")
    metrics = values_of(taken(TABLES, labels=file))
    assert metrics["sites.purity"] == metrics["sites.purity_log"] == 1
    file.write_text(
        "site,label\na.example,s\nb.example,s\nd.example,m\ne.example,m\n", encoding="utf-8"
    )
    metrics = values_of(taken(TABLES, labels=file))
    assert metrics["sites.purity"] == 1
    assert 0.5 < metrics["sites.purity_chance"] < 1


@pytest.mark.parametrize("text", [b"name,label\na,b\n", b"\xff\xfe\x00", None])
def test_that_an_unreadable_table_of_labels_is_refused(tmp_path: Path, text: bytes | None) -> None:
    file = tmp_path / "labels.csv"
    if text is not None:
        file.write_bytes(text)
    with pytest.raises(ParameterError, match=r"labels\.csv"):
        taken(TABLES, labels=file)


def test_that_without_clicks_it_says_why_there_is_nothing() -> None:
    assert "no table of clicks" in taken(tables_of({"a": 1})).notes[0]
    clickless = log_of([("u", "q", 1, None)])
    assert "no clicks" in taken(clickless, clickless).notes[0]
    assert values_of(taken(tables_of({"a": 1}, {}))) == {
        "sites.found": 0,
        "sites.agreement_all": 0,
        "sites.clusters": 0,
    }
