# A machine on which 'bolt verify --virtual' and the README's demo run:
#   docker build -t boltshuffle .
#   docker run --rm --shm-size=1g boltshuffle
FROM debian:bookworm-slim

RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
        openjdk-17-jdk-headless gcc libc6-dev make ca-certificates curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home bolt

COPY --chown=bolt:bolt . /home/bolt/boltshuffle
USER bolt
WORKDIR /home/bolt/boltshuffle

# Builds the jars and the virtual cable, so that a container starts at once.
RUN spark-conf/bin/bolt verify --help >/dev/null

CMD ["sh", "-euxc", "spark-conf/bin/bolt verify --virtual; spark-conf/bin/bolt demo --size 20m"]
