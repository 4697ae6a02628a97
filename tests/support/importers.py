"""Import exported grades by the rules of Canvas and Moodle, as their sources say them.

Canvas: `lib/gradebook_importer.rb` and `ProcessGradebookUpload`. Moodle: `importgradeslib.php` of
`assignfeedback_offline`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence


def into_canvas(
    content: bytes, assignments: Mapping[str, int], before: Mapping[int, str]
) -> dict[int, str]:
    """Return the grades of the only assignment after an import, by Canvas's id of each student.

    A cell that differs from the grade `before` replaces it, even by nothing.
    """
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8"), newline=""))
    assert len(head) > 3
    assert "Student" in head[0]
    assert "ID" in head[1]
    own = 3 + 2 * bool(re.search("SIS User ID", head[2]) and re.search("SIS Login ID", head[3]))
    assert "Section" in head[own - 1]
    others = "(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)"
    titles = [title for title in head[own:] if not re.search(others, title)]
    assert [title.rpartition(" (")[2].rstrip(")") for title in titles] == [
        str(id) for id in assignments.values()
    ], "Canvas makes a new assignment"
    after = dict(before)
    for row in rows:
        if "Points Possible" in row[0]:
            continue
        id = int(row[1])
        assert id in before, "Canvas looks for somebody of that name"
        cell = row[head.index(titles[0])].strip()
        assert re.fullmatch(r"(\d+(\.\d+)?|EX)?", cell)
        after[id] = cell
    return after


def into_moodle(
    content: bytes, words: Sequence[str], ids: Mapping[int, str]
) -> dict[int, tuple[str, str]]:
    """Return the grade and the comment of each participant. `words` are Moodle's, in the language
    of the person who imports: for the id, the grade, when it was changed, the comment, and
    a participant without a name.
    """
    id_word, grade_word, changed_word, comment_word, participant = words
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    places = [head.index(word) for word in (id_word, grade_word, changed_word, comment_word)]
    found = {}
    for row in rows:
        assert len(row) == len(head)
        id, grade, _, comment = (row[place] for place in places)
        if (number := int(id.encode()[len(participant.encode()) :])) in ids:
            found[number] = (grade, comment)
    return found
