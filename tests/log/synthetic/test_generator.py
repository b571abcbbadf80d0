"""Synthetic logs: repeatable, heavy-tailed, with the rates they claim and the truth about them."""

import gzip
import itertools
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from auditor.errors import ParameterError
from auditor.log import gazetteers, text, writing
from auditor.log.model import NONE, QueryLog
from auditor.log.sessions import find_sessions
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log, write_synthetic
from auditor.log.synthetic.world import (
    DEVICES,
    HOME_SHARE,
    OWN_DATA_SHARE,
    OWN_NAME_SHARE,
    _is_adult,
    build_world,
    make_people,
    terms,
)
from auditor.progress import silent_progress
from auditor.resource_files import resource_path
from tests.narrowing import present

USERS = 1500


@pytest.fixture(scope="module")
def made() -> SyntheticLog:
    return synthesize_log(USERS, days=30, seed=7)


def events_of(log: SyntheticLog) -> np.ndarray:
    """Events of each query."""
    return np.bincount(log.log.query, weights=log.log.event_starts).astype(int)


def users_of(sample: SyntheticLog, rows: str) -> np.ndarray:
    return np.unique(sample.log.user[sample.truth[rows]])


def test_that_the_same_seed_makes_the_same_log_and_another_seed_another() -> None:
    first, two, other = (synthesize_log(80, days=5, seed=seed) for seed in (1, 1, 2))
    assert first.log.digest == two.log.digest
    assert first.reference.digest == two.reference.digest
    assert first.truth == two.truth
    assert first.profiles.equals(two.profiles)
    assert other.log.digest != first.log.digest


@pytest.mark.parametrize("users", [1, 2, 37])
def test_that_there_are_exactly_the_users_asked_for(users: int) -> None:
    sample = synthesize_log(users, days=3, seed=5)
    assert len(sample.log.users) == len(sample.profiles) == len(sample.truth["users"]) == users
    assert sample.profiles["user"].tolist() == sample.log.users.list_strings()
    assert sample.profiles["zip"].tolist() == [u["zip"] for u in sample.truth["users"].values()]


@pytest.mark.parametrize("wrong", [{"users": 0}, {"days": 0}, {"seed": -1}])
def test_that_impossible_sizes_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ParameterError, match="at least"):
        synthesize_log(**{"users": 5, **wrong})  # type: ignore[arg-type]


def test_that_own_names_and_home_places_come_at_the_sources_rates(made: SyntheticLog) -> None:
    # Three standard deviations of a binomial share of 1,500 users.
    for rows, share in (
        ("own_name_rows", OWN_NAME_SHARE),
        ("home_rows", HOME_SHARE),
        ("own_data_rows", OWN_DATA_SHARE),
    ):
        within = 3 * (share * (1 - share) / USERS) ** 0.5
        assert len(users_of(made, rows)) / USERS == pytest.approx(share, abs=within)
    assert (OWN_NAME_SHARE, HOME_SHARE) == (0.30, 0.50)  # Jones et al. 2008, section 1


def test_that_rows_hold_the_users_true_name_and_home_where_the_truth_says_so(
    made: SyntheticLog,
) -> None:
    log, zips = made.log, gazetteers.postal_codes()

    def owner_of(row: int) -> dict[str, str]:
        owner: dict[str, str] = made.truth["users"][log.users[int(log.user[row])]]
        return owner

    for row in made.truth["own_name_rows"]:
        words = log.queries[int(log.query[row])].split()
        assert set(owner_of(row)["name"].split()) <= set(words)
    for row in made.truth["home_rows"]:
        code, query = owner_of(row)["zip"], log.queries[int(log.query[row])]
        city = zips[code].city.replace("saint ", "st ")
        assert code in query or city in query.replace("saint ", "st ")


def test_that_queries_have_the_shape_of_web_queries_and_activity_is_heavy_tailed(
    made: SyntheticLog,
) -> None:
    counts, lengths = events_of(made), text.tokenize_strings(made.log.queries).compute_lengths()
    events = counts.sum()
    assert 2.2 < (counts * lengths).sum() / events < 2.7
    assert 0.2 < counts[lengths == 1].sum() / events < 0.35
    assert 0.5 < (counts == 1).mean() < 0.8
    assert lengths.max() <= 8
    of_user = np.sort(np.bincount(made.log.user, weights=made.log.event_starts))
    assert of_user.min() >= 1
    assert of_user[-USERS // 100 :].sum() > 0.06 * of_user.sum()
    assert np.median(of_user) < 0.7 * of_user.mean()


def test_that_words_follow_zipf_and_the_vocabulary_goes_on_growing(made: SyntheticLog) -> None:
    tokens = text.tokenize_strings(made.log.queries)
    often = np.sort(tokens.count_occurrences(events_of(made)))[::-1]
    ranks = np.arange(10, 1000)
    slope = np.polyfit(np.log(ranks), np.log(often[10:1000]), 1)[0]
    assert -1.2 < slope < -0.6
    assert (often == 1).mean() > 0.3
    half = len(tokens.codes) // 2
    first, total = (len(np.unique(tokens.codes[:end])) for end in (half, 2 * half))
    assert 1.2 < total / first < 1.8  # 2^β with Heaps' β from 0.26 to 0.85


def test_that_words_keep_company(made: SyntheticLog) -> None:
    """Pairs of words come up far more often than if words were drawn one by one."""
    words, counts = text.tokenize_strings(made.log.queries), events_of(made)
    two = words.compute_lengths() == 2
    first, second = words.codes[words.offsets[:-1][two]], words.codes[words.offsets[1:][two] - 1]
    weights = counts[two]
    pairs, place = np.unique(first.astype(np.int64) << 32 | second, return_inverse=True)
    joint = np.bincount(place, weights) / weights.sum()
    size = len(words.vocabulary)
    p, q = (np.bincount(side, weights, minlength=size) / weights.sum() for side in (first, second))
    alone = p[pairs >> 32] * q[pairs & 0xFFFFFFFF]
    assert (joint * np.log2(joint / alone)).sum() > 5.0  # bits of mutual information


def test_that_a_session_reformulates_and_repeats(made: SyntheticLog) -> None:
    log = made.log
    starts = find_sessions(log)
    assert 1.8 < log.event_starts.sum() / (len(starts) - 1) < 3.5
    rows = np.flatnonzero(log.event_starts)
    inside = ~np.isin(rows, starts)
    previous, now = log.query[rows[:-1]][inside[1:]], log.query[rows[1:]][inside[1:]]
    again = (previous == now).mean()
    words = {code: set(log.queries[int(code)].split()) for code in np.unique([previous, now])}
    shared = np.mean([bool(words[a] & words[b]) for a, b in zip(previous, now, strict=True)])
    assert 0.1 < again < 0.4
    assert shared > again + 0.15


def test_that_users_keep_their_interests(made: SyntheticLog) -> None:
    """Two queries of one user share a topic more often than two of different users."""
    topic = np.array(made.truth["query_topics"])[made.log.query]
    starts, rng = made.log.user_starts, np.random.default_rng(0)
    heavy = np.flatnonzero(np.diff(starts) > 30)
    user = rng.choice(heavy, 20_000)
    mine = [rng.integers(starts[user], starts[user + 1]) for _ in range(2)]
    anyone = rng.permutation(mine[1])
    assert (topic[mine[0]] == topic[mine[1]]).mean() > 2 * (topic[mine[0]] == topic[anyone]).mean()


def test_that_a_query_leads_to_the_same_url_at_the_same_rank(made: SyntheticLog) -> None:
    table = pd.DataFrame({"query": made.log.query, "rank": made.log.rank, "url": made.log.url})
    clicked = table[table["url"] >= 0]
    urls = clicked.groupby(["query", "rank"])["url"].nunique()
    assert (urls == 1).mean() > 0.995  # a text can be asked with two meanings
    assert clicked["rank"].min() == 1
    assert (clicked["rank"] == 1).mean() > 2 * (clicked["rank"] == 3).mean()
    assert 0.4 < len(clicked) / len(table) < 0.7
    assert np.array_equal(made.log.url >= 0, made.log.rank >= 1)  # clicked rows alone have ranks


def test_that_neighbours_share_networks_and_some_share_addresses(made: SyntheticLog) -> None:
    log = made.log
    assert log.ip is not None
    assert np.all(log.ip >> 24 == 10)
    homes = pd.Series({u: v["zip"] for u, v in made.truth["users"].items()})
    network = pd.Series(log.ip >> 8).groupby(np.asarray(log.user)).first()
    states = homes.map(lambda code: gazetteers.postal_codes()[code].state)
    grouped = pd.DataFrame({"net": network.to_numpy(), "state": states.to_numpy()})
    together = grouped.groupby("net")["state"].agg(lambda s: s.value_counts().iloc[0] / len(s))
    assert grouped["net"].value_counts().max() > 5
    assert together.mean() > 0.8
    users_at = pd.DataFrame({"ip": log.ip, "user": log.user}).drop_duplicates()["ip"]
    assert users_at.duplicated().any()


def test_that_four_more_masked_bits_join_five_times_the_users() -> None:
    """Jones et al. 2008, Table 2: around five times for every four bits."""
    rng = np.random.default_rng(1)
    ip = make_people(12_000, build_world(rng, silent_progress()), rng).ip
    per_bundle = [len(ip) / len(np.unique(ip >> np.uint32(bits))) for bits in (8, 12, 16)]
    assert all(4 < b / a < 6 for a, b in itertools.pairwise(per_bundle))


def test_that_a_cookie_is_one_users_and_some_users_have_several(made: SyntheticLog) -> None:
    pairs = pd.DataFrame({"cookie": made.log.cookie, "user": made.log.user}).drop_duplicates()
    assert not pairs["cookie"].duplicated().any()
    assert 0.1 < pairs["user"].duplicated().mean() < 0.5


def test_that_the_reference_is_earlier_and_shares_part_of_users_and_words(
    made: SyntheticLog,
) -> None:
    assert present(made.reference.period)[1] < present(made.log.period)[0] + 3600
    ours, theirs = (set(log.users.list_strings()) for log in (made.log, made.reference))
    assert 0.4 < len(ours & theirs) / len(ours) < 0.7

    def common(log: QueryLog) -> list[str]:
        tokens = text.tokenize_strings(log.queries)
        top = np.argsort(-tokens.count_occurrences(), kind="stable")[:500]
        return tokens.vocabulary.list_strings(top)

    a, b = common(made.log), common(made.reference)
    assert 0.5 < len(set(a) & set(b)) / 500 < 0.95
    assert a != b


def test_that_user_ids_hold_names_as_often_as_in_the_source(made: SyntheticLog) -> None:
    counts = [0, 0]
    for user, userid in zip(made.profiles["user"], made.profiles["userid"], strict=True):
        first, last = made.truth["users"][user]["name"].split()
        counts[0] += first in userid or last in userid
        counts[1] += first in userid and last in userid
    assert counts[0] / USERS == pytest.approx(0.88, abs=0.05)
    assert counts[1] / USERS == pytest.approx(0.42, abs=0.06)
    assert made.profiles["name"].notna().mean() == pytest.approx(0.25, abs=0.04)


def test_that_writing_gives_four_files_row_for_row(made: SyntheticLog, tmp_path: Path) -> None:
    paths = write_synthetic(made, tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(paths)
    table = pd.read_csv(paths["log.tsv"], sep="\t", quoting=3, dtype=str, keep_default_na=False)
    assert table.columns[:5].tolist() == ["AnonID", "Query", "QueryTime", "ItemRank", "ClickURL"]
    log = made.log
    assert table["AnonID"].tolist() == log.users.list_strings(log.user)
    assert table["Query"].tolist() == log.queries.list_strings(log.query)
    seconds = pd.to_datetime(table["QueryTime"]).astype("datetime64[s]").astype("int64")
    assert np.array_equal(seconds, log.time)
    truth = json.loads(paths["truth.json"].read_text())
    assert truth == made.truth
    profiles = pd.read_csv(paths["profiles.csv"], dtype=str)
    assert profiles["zip"].tolist() == made.profiles["zip"].tolist()


@pytest.fixture(scope="module")
def sample() -> pd.DataFrame:
    """The rows of the log that comes with the program."""
    with gzip.open(gazetteers.sample_log(), "rt", encoding="utf-8") as file:
        return pd.read_csv(file, sep="\t", quoting=3, dtype=str, keep_default_na=False)


def test_that_the_bundled_sample_is_large_enough_and_small_enough(sample: pd.DataFrame) -> None:
    assert sample["AnonID"].nunique() >= 2_000
    assert len(sample.drop_duplicates(["AnonID", "Query", "QueryTime"])) >= 60_000
    packed = resource_path("sample/truth.json.gz")
    paths = [gazetteers.sample_log(), gazetteers.sample_reference(), gazetteers.sample_profiles()]
    assert sum(path.stat().st_size for path in (*paths, packed)) < 6_000_000
    truth = json.loads(gzip.decompress(packed.read_bytes()))
    assert set(truth["users"]) == set(sample["AnonID"])
    row = sample.iloc[truth["own_name_rows"][0]]
    name = truth["users"][row["AnonID"]]["name"]
    assert set(name.split()) <= set(row["Query"].split())


def test_that_no_query_of_the_sample_joins_the_young_with_adult_terms(sample: pd.DataFrame) -> None:
    words = [set(query.split()) for query in sample["Query"].unique()]
    vocabulary = set().union(*words)
    shielded, adult = set(terms()["kin-and-young"]), {w for w in vocabulary if _is_adult(w)}
    assert not vocabulary & set(terms()["never"])
    assert not [some for some in words if some & adult and some & shielded]


def test_that_files_are_the_same_however_few_rows_are_written_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = synthesize_log(20, days=3, seed=4)
    at_once = write_synthetic(sample, tmp_path / "once")["log.tsv"].read_bytes()
    monkeypatch.setattr(writing, "BLOCK", 7)
    assert len(sample.log) > 7
    assert write_synthetic(sample, tmp_path / "often")["log.tsv"].read_bytes() == at_once


# --- columns beside the log -------------------------------------------------------------------


@pytest.fixture(scope="module")
def columns() -> QueryLog:
    return synthesize_log(400, days=10, seed=4, attributes=True).log


def test_that_a_column_is_of_a_person_or_of_a_browser_and_changes_no_row(columns: QueryLog) -> None:
    plain = synthesize_log(400, days=10, seed=4).log
    assert not plain.attributes
    assert columns.without_attributes.digest == plain.digest
    holders = dict.fromkeys(("country", "region", "language", "signed_in"), "user")
    for name, holder in (holders | {"device": "cookie"}).items():
        codes = columns.columns[holder], columns.attributes[name].codes
        pairs = np.unique(np.stack(codes), axis=1)
        assert len(np.unique(pairs[0])) == pairs.shape[1], name


def test_that_places_and_dwell_times_stand_where_they_mean_something(columns: QueryLog) -> None:
    code = {name: column.codes for name, column in columns.attributes.items()}
    texts = {name: column.texts.list_strings() for name, column in columns.attributes.items()}
    assert ((code["region"] != NONE) == (code["country"] == texts["country"].index("US"))).all()
    assert ((code["dwell_ms"] != NONE) == (columns.url != NONE)).all()
    assert set(texts["device"]) == set(DEVICES)
    shares = np.bincount(code["country"]) / len(columns)
    assert shares.max() > 0.2
    assert (shares[shares > 0] < 0.05).sum() > 5  # small countries, whose groups are small
