# The app for those who serve it; docs/installation.md says how.
FROM python:3.13-slim AS made
WORKDIR /source
COPY . .
RUN python -m venv /opt/arena && /opt/arena/bin/pip install --no-cache-dir '.[app]'

FROM python:3.13-slim
COPY --from=made /opt/arena /opt/arena
RUN useradd --create-home --uid 1000 arena && install -d -o arena /data
USER arena
ENV PATH=/opt/arena/bin:$PATH ARENA_SOLVER_CACHE=/data/cache
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --start-period=20s \
  CMD ["python", "-c", "import http.client as http; server = http.HTTPConnection('127.0.0.1', 8000, timeout=5); server.request('GET', '/'); assert server.getresponse().status in (200, 403)"]
CMD ["arena", "app", "--no-browser", "--host", "0.0.0.0", "--port", "8000", "--folder", "/data/app"]
