"""Live progress on stderr, as commands of Ragers have always called it."""

from cli.progress import Reporter as Reporter
