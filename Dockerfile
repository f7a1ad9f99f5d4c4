# One image for every process: `manage.py up` runs all of them on one machine; with DATABASE_URL, REDIS_URL and
# SECRET_KEY set, run `manage.py web`, `manage.py work reading`, `manage.py work agent` and `manage.py scheduler` apart.
ARG PYTHON=python:3.11.13-slim-bookworm

FROM ${PYTHON} AS build
WORKDIR /app
# Without pip of its own: what installs the packages stays in this stage.
RUN python -m venv --without-pip /venv
COPY requirements.txt .
RUN pip --python /venv/bin/python install --no-cache-dir --disable-pip-version-check --require-hashes --no-deps \
    -r requirements.txt
COPY . .
RUN /venv/bin/python -m compileall -q accounts agent docrouter documents kit llm offline_model printed reader worker
# Once for every container; what is made of it here is found unchanged at the start.
RUN DATA_DIR=/tmp/build STATIC_ROOT=/srv/static /venv/bin/python manage.py collectstatic --no-input --clear --verbosity 0

FROM ${PYTHON}
# For DOC and PPT: --build-arg OFFICE="libreoffice-writer-nogui libreoffice-impress-nogui fonts-liberation"
ARG OFFICE=""
# Each of the many threads would keep an arena of freed memory for itself.
ENV MALLOC_ARENA_MAX=2 \
    PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    BIND=0.0.0.0 \
    STATIC_ROOT=/srv/static \
    PORT=8000

# redis-server: the wheel with the embedded one is for x86-64 only. Nothing is installed here later, so pip goes.
RUN apt-get update \
    && apt-get install -y --no-install-recommends redis-server $OFFICE \
    && rm -rf /var/lib/apt/lists/* \
    && pip uninstall -y --quiet pip setuptools wheel \
    && useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin docrouter \
    && install -d -m 700 -o docrouter -g docrouter /data /srv/static

WORKDIR /app
COPY --from=build /venv /venv
COPY --from=build /app /app
COPY --from=build --chown=docrouter:docrouter /srv/static /srv/static

USER docrouter
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
# The address may be another one outside; inside it is always this. Only the process with the page answers: for the
# workers and the scheduler run apart, turn the check off.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://localhost:{os.environ[\"PORT\"]}/health', timeout=4)"]
CMD ["python", "manage.py", "up"]
