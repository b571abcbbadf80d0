"""Whose each released id is: told by whoever made a release, and known to no recipient.

A truth table stays outside the release. With it attacks know whether a guess was right where ids
were changed and rows no longer tell, also where one user stands under several ids (one a day, say).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.arrays import Int64s
from auditor.bounded_files import UnfitFile, read_bounded, write_private_file
from auditor.errors import LogFormatError, ParameterError
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.messages import as_phrase, phrase

HEADING = ["id", "user"]

MOST_BYTES = 1 << 29
"""Bytes of a truth table that is read."""


@dataclass(frozen=True, eq=False)
class TruthTable:
    """Released ids, each once, and the code in `users` of the user behind each; shape (ids,)."""

    ids: Vocabulary
    users: Vocabulary
    user: Int64s

    @classmethod
    def of(cls, pairs: dict[str, str]) -> TruthTable:
        """From the user of each released id."""
        codes: dict[str, int] = {}
        user = [codes.setdefault(name, len(codes)) for name in pairs.values()]
        return cls(Vocabulary.of(pairs), Vocabulary.of(codes), np.array(user, dtype=np.int64))

    @classmethod
    def read(cls, path: Path) -> TruthTable:
        """From a text file of two columns, a released id and the user, with a tab or comma between.

        A first line is a heading if it says ``id`` and ``user``, in any case.

        Raises
        ------
        LogFormatError
            It can't be read, a line has no two columns, or one id has two users.
        """
        try:
            text = read_bounded(path, MOST_BYTES).decode("utf-8-sig")
        except UnfitFile as error:
            raise LogFormatError(
                phrase("is {why}.", why=as_phrase(str(error))), path=path
            ) from None
        except UnicodeDecodeError:
            raise LogFormatError("is no UTF-8 text.", path=path) from None
        pairs: dict[str, str] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            parts = [part.strip() for part in line.split("\t" if "\t" in line else ",")]
            if not line.strip() or (number == 1 and [part.lower() for part in parts] == HEADING):
                continue
            if len(parts) != 2:
                reason = "needs a released id and a user, and nothing else."
                raise LogFormatError(reason, path=path, line=number)
            if pairs.setdefault(*parts) != parts[1]:
                raise LogFormatError("gives one released id two users.", path=path, line=number)
        if not pairs:
            raise LogFormatError("holds no released id.", path=path)
        return cls.of(pairs)

    def save(self, path: Path) -> None:
        """Write it to a new file that only its owner may read, as `read` takes it.

        Raises
        ------
        ParameterError
            The file is there or can't be written, or an id can't stand in a line of text.
        """
        users = self.users.list_strings()
        lines = ["id\tuser\n"]
        for released, user in zip(self.ids.list_strings(), self.user.tolist(), strict=True):
            line = f"{released}\t{users[user]}"
            if (
                line.count("\t") != 1
                or "\n" in line
                or any(part != part.strip() for part in line.split("\t"))
            ):
                raise ParameterError(
                    "write_truth",
                    "An id of the log holds a tab, a line break, or a blank at an end.",
                )
            lines.append(f"{line}\n")
        try:
            write_private_file(path, "".join(lines).encode())
        except OSError as error:
            message = phrase("It can't be written: {why}.", why=as_phrase(str(error.strerror)))
            raise ParameterError("write_truth", message) from None

    @property
    def gives_several(self) -> bool:
        """Whether some user has several ids."""
        return bool((np.bincount(self.user) > 1).any()) if len(self.user) else False

    def find_owners(self, log: QueryLog, released: QueryLog) -> Int64s:
        """The code in `log` of the user of each released record, −1 where unknown; (records,)."""
        entry = released.users.match(self.ids).astype(np.int64)
        codes = self.users.match(log.users).astype(np.int64)
        if not len(codes):
            return np.full(len(entry), NONE, dtype=np.int64)
        owners = codes[self.user[np.maximum(entry, 0)]]
        return np.where(entry == NONE, NONE, owners)
