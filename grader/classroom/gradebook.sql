CREATE TABLE IF NOT EXISTS learner (id TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS grading (
    learner TEXT NOT NULL,
    sha256 TEXT NOT NULL, course TEXT NOT NULL, phases TEXT NOT NULL, seed INTEGER NOT NULL,
    origin TEXT NOT NULL, received REAL NOT NULL, timing TEXT NOT NULL,
    outcome TEXT NOT NULL, message TEXT NOT NULL,
    score INTEGER NOT NULL, max_score INTEGER NOT NULL,
    again REAL NOT NULL, again_timing TEXT NOT NULL, explained INTEGER NOT NULL,
    counts INTEGER NOT NULL,
    marks TEXT NOT NULL, report BLOB NOT NULL,
    PRIMARY KEY (learner, sha256, course, phases, seed)
);
CREATE TABLE IF NOT EXISTS journal (
    number INTEGER PRIMARY KEY AUTOINCREMENT, learner TEXT NOT NULL,
    text TEXT NOT NULL, points REAL NOT NULL, item TEXT NOT NULL, who TEXT NOT NULL,
    replaces INTEGER NOT NULL, written REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS source (sha256 TEXT PRIMARY KEY, files BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS claim (
    learner TEXT NOT NULL, sha256 TEXT NOT NULL, course TEXT NOT NULL, phases TEXT NOT NULL,
    seed INTEGER NOT NULL,
    PRIMARY KEY (learner, sha256, course, phases, seed)
) WITHOUT ROWID;
