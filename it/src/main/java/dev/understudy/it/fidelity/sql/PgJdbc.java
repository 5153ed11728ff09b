package dev.understudy.it.fidelity.sql;

import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.server.PostgresServer;
import dev.understudy.it.fidelity.server.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.LinkedHashMap;
import java.util.Map;

/** What applications use of JDBC, one named piece of work each, over PostgreSQL's driver. */
public final class PgJdbc implements Suite {
    private final Map<String, Work> works = new LinkedHashMap<>();

    public PgJdbc() {
        Reads.addTo(works);
        Writes.addTo(works);
        Transactions.addTo(works);
        Calls.addTo(works);
    }

    @Override
    public String name() {
        return "pgjdbc";
    }

    @Override
    public String about() {
        return "pgjdbc 42.7.13, " + works.size()
                + " uses of its API; an operation is one of them, on a connection of its own";
    }

    @Override
    public Server.Kind server() {
        return Server.Kind.POSTGRES;
    }

    @Override
    public void prepare(Server server) throws Exception {
        PostgresServer.prepare(
                server,
                "DROP SCHEMA IF EXISTS shop CASCADE",
                "SELECT lo_unlink(oid) FROM pg_largeobject_metadata",
                "CREATE SCHEMA shop",
                "SET search_path TO shop",
                "CREATE TABLE shop.items (id serial PRIMARY KEY, name text UNIQUE, price numeric(10,2),"
                        + " born timestamptz NOT NULL DEFAULT now())",
                "INSERT INTO items (name, price) SELECT 'item ' || n, n * 1.5 FROM generate_series(1, 500) n",
                "CREATE TABLE shop.types (a smallint, b int, c bigint, d real, e double precision,"
                        + " f numeric, g boolean, h text, i bytea, j date, k time, l timestamp, m timestamptz, n uuid,"
                        + " o int[], p text[], q jsonb, r interval, s inet, t xml, u bit(3))",
                "CREATE TABLE shop.late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)",
                "CREATE TABLE shop.blobs (id int PRIMARY KEY, large oid, small bytea)",
                "CREATE FUNCTION shop.twice(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 2'",
                "CREATE FUNCTION shop.cheap(most numeric) RETURNS SETOF items LANGUAGE sql"
                        + " AS 'SELECT * FROM shop.items WHERE price <= most ORDER BY id'",
                "CREATE FUNCTION shop.opened() RETURNS refcursor LANGUAGE plpgsql AS"
                        + " $$ DECLARE c refcursor; BEGIN OPEN c FOR SELECT id, name FROM "
                        + "shop.items ORDER BY id LIMIT 5;"
                        + " RETURN c; END $$",
                "CREATE PROCEDURE shop.raise(by numeric, INOUT changed int) LANGUAGE plpgsql AS"
                        + " $$ BEGIN UPDATE shop.items SET price = price + by WHERE id <= 3;"
                        + " GET DIAGNOSTICS changed = ROW_COUNT; END $$",
                "CREATE FUNCTION shop.loud(said text) RETURNS void LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE NOTICE 'heard %', said; RAISE WARNING 'twice %', said; END $$");
    }

    @Override
    public void run(Side side) {
        String url = PostgresServer.url(side.port(), "&currentSchema=shop");
        works.forEach((name, work) -> side.transcript().add(name, () -> {
            try (Connection connection = DriverManager.getConnection(url, side.user(), "any")) {
                return work.on(connection);
            }
        }));
    }
}
