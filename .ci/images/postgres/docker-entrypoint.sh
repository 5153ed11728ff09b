#!/bin/bash
# Runs the server as the user postgres; makes the cluster first where PGDATA is empty.
#
# Takes what the public image takes: POSTGRES_USER, POSTGRES_PASSWORD (or POSTGRES_PASSWORD_FILE),
# POSTGRES_DB, POSTGRES_INITDB_ARGS, and scripts in /docker-entrypoint-initdb.d. Clients over TCP
# authenticate with SCRAM-SHA-256.
set -euo pipefail

if [[ ${1:-} == -* ]]; then
    set -- postgres "$@"
fi

become_postgres() {
    mkdir -p "$PGDATA" /var/run/postgresql
    chown -R postgres:postgres "$PGDATA" /var/run/postgresql
    exec setpriv --reuid=postgres --regid=postgres --init-groups -- "$0" "$@"
}

make_cluster() {
    local user=${POSTGRES_USER:-postgres}
    local database=${POSTGRES_DB:-$user}
    local password=${POSTGRES_PASSWORD:-}
    if [[ -n ${POSTGRES_PASSWORD_FILE:-} ]]; then
        password=$(<"$POSTGRES_PASSWORD_FILE")
    fi
    if [[ -z $password ]]; then
        echo "POSTGRES_PASSWORD: empty (expected: the superuser's password)" >&2
        exit 1
    fi

    chmod 0700 "$PGDATA"
    # shellcheck disable=SC2086  # the variable holds several options
    initdb --pgdata="$PGDATA" --username="$user" --pwfile=<(printf '%s\n' "$password") \
        --auth-local=trust --auth-host=scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
    echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"

    # On the socket alone, so that nobody outside sees a server whose tables aren't there yet.
    pg_ctl --pgdata="$PGDATA" --wait start -o "-c listen_addresses=''"
    if [[ $database != postgres ]]; then
        createdb --username="$user" --maintenance-db=postgres "$database"
    fi
    run_scripts "$user" "$database"
    pg_ctl --pgdata="$PGDATA" --wait --mode=fast stop
}

run_scripts() {
    local psql=(psql --no-psqlrc -v ON_ERROR_STOP=1 --username="$1" --dbname="$2")
    local script
    for script in /docker-entrypoint-initdb.d/*; do
        case $script in
            *.sql) "${psql[@]}" --file="$script" ;;
            *.sql.gz) gunzip --stdout "$script" | "${psql[@]}" ;;
            *.sh) bash "$script" ;;
        esac
    done
}

if [[ $1 == postgres ]]; then
    if [[ $(id -u) == 0 ]]; then
        become_postgres "$@"
    fi
    if [[ ! -s $PGDATA/PG_VERSION ]]; then
        make_cluster
    fi
fi

exec "$@"
