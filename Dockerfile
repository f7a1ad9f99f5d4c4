# One image for every process: `manage.py up` runs all of them on one machine; with DATABASE_URL, REDIS_URL and
# SECRET_KEY set, run `manage.py web`, `manage.py work reading`, `manage.py work agent` and `manage.py scheduler` apart.
FROM python:3.11-slim

# For DOC and PPT: --build-arg OFFICE="libreoffice-writer-nogui libreoffice-impress-nogui fonts-liberation"
ARG OFFICE=""

ENV PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    BIND=0.0.0.0 \
    STATIC_ROOT=/srv/static \
    PORT=8000

# redis-server: the wheel with the embedded one is for x86-64 only.
RUN apt-get update \
    && apt-get install -y --no-install-recommends redis-server $OFFICE \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin docrouter \
    && install -d -m 700 -o docrouter -g docrouter /data /srv/static

WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes --no-deps -r requirements.txt

COPY . .
RUN python -m compileall -q accounts agent docrouter documents kit offline_model worker

USER docrouter
# Once for every container; what is made of it here is found unchanged at the start.
RUN DATA_DIR=/tmp/build python manage.py collectstatic --no-input --clear --verbosity 0 && rm -r /tmp/build
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
# The address may be another one outside; inside it is always this. Only the process with the page answers: for the
# workers and the scheduler run apart, turn the check off.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://localhost:{os.environ[\"PORT\"]}/health', timeout=4)"]
CMD ["python", "manage.py", "up"]
