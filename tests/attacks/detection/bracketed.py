"""Tables of queries with brackets around what must be marked in them."""

from collections.abc import Callable


def list_queries(text: str, sign: str = ";") -> list[str]:
    """The queries of a table, which stand between signs or on lines of their own."""
    parts = (query.strip() for line in text.splitlines() for query in line.split(sign))
    return [query for query in parts if query]


def find_wrong(
    text: str, mark: Callable[[str], list[str]], sign: str = ";"
) -> dict[str, list[str]]:
    """What `mark` marks in those queries in which that isn't what stands in brackets."""
    wrong = {}
    for bracketed in list_queries(text, sign):
        query = bracketed.replace("[", "").replace("]", "")
        marked = mark(query)
        if marked != [part.partition("]")[0] for part in bracketed.split("[")[1:]]:
            wrong[query] = marked
    return wrong
