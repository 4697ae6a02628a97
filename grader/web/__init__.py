"""TRUSTED. The whole course in a browser: the judge's side there, and the site's own files.

The judge and the learner's code run in two Web Workers. The module that runs next to the learner's
code is `grader.worker.browser`.
"""
