"""Import exported grades by the rules of Canvas and Moodle, as their sources say them.

Canvas: `lib/gradebook_importer.rb` and `ProcessGradebookUpload`. Moodle: `importgradeslib.php` of
`assignfeedback_offline`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence


def into_canvas(content: bytes, assignment: int, before: Mapping[int, str]) -> dict[int, str]:
    """Return the grades of the only assignment after an import, by Canvas's id of each student.

    A cell that differs from the grade `before` replaces it, even by nothing. Canvas makes a new
    assignment for any other title, and looks for the name of somebody whose id it does not know.
    """
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8"), newline=""))
    own = 3 + 2 * bool(re.search("SIS User ID", head[2]) and re.search("SIS Login ID", head[3]))
    assert ["Student" in head[0], "ID" in head[1], "Section" in head[own - 1]] == [True] * 3
    assert [re.findall(r" \((\d+)\)$", title) for title in head[own:]] == [[str(assignment)]]
    students = [row for row in rows if "Points Possible" not in row[0]]
    after = {int(row[1]): row[own].strip() for row in students}
    assert {*after} <= {*before}
    assert all(re.fullmatch(r"(\d+(\.\d+)?|EX)?", cell) for cell in after.values())
    return {**before, **after}


def into_moodle(
    content: bytes, words: Sequence[str], ids: Mapping[int, str]
) -> dict[int, tuple[str, str]]:
    """Return the grade and the comment of each participant. `words` are Moodle's, in the language
    of the person who imports: for the id, the grade, when it was changed, the comment, and
    a participant without a name.
    """
    *columns, participant = words
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    places = [head.index(word) for word in columns]
    cells = [[row[place] for place in places] for row in rows if len(row) == len(head)]
    start = len(participant.encode())
    found = {int(id.encode()[start:]): (grade, comment) for id, grade, _, comment in cells}
    return {id: found[id] for id in ids}
