"""VIEWS. Turn a report into text: terminal, JSON, HTML, JUnit, Markdown.

Each is a pure function.
"""
