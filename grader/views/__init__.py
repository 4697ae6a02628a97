"""VIEWS. From a report to text: terminal, JSON, HTML, JUnit, Markdown. Each is a pure function."""
