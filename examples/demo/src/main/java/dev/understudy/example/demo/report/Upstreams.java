package dev.understudy.example.demo.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.example.demo.stage.Cache;
import dev.understudy.example.demo.stage.Database;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the upstreams themselves say was done to them.
 *
 * @param rows rows by table, counted in the real database
 * @param sums the cents ordered, the pieces ordered, the pieces gone from stock, the bytes attached
 * @param statements how often the application's user ran each kind of writing statement, by PostgreSQL's statistics
 * @param connections open connections by user, PostgreSQL's and Redis's
 * @param commands calls by command, by Redis's statistics
 * @param prices requests that pricing answered
 */
public record Upstreams(
        Map<String, Long> rows,
        Map<String, Long> sums,
        Map<String, Long> statements,
        Map<String, Long> connections,
        Map<String, Long> commands,
        long prices) {

    private static final String STATEMENTS = """
            SELECT kind, coalesce(sum(calls), 0)
            FROM (VALUES ('INSERT INTO orders'), ('INSERT INTO order_lines'), ('INSERT INTO attachments'),
                         ('UPDATE products')) AS kinds (kind)
            LEFT JOIN (pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid AND r.rolname = 'orders')
                ON s.query LIKE kind || ' %'
            GROUP BY kind
            """;

    static Upstreams ask(Database database, Cache cache, ControlPort pricing)
            throws SQLException, IOException, InterruptedException {
        Map<String, Long> rows = new TreeMap<>();
        for (String table : List.of("orders", "order_lines", "attachments")) {
            rows.put(table, database.number("SELECT count(*) FROM " + table));
        }
        Map<String, Long> sums = new TreeMap<>();
        sums.put("cents", database.number("SELECT coalesce(sum(total_cents), 0) FROM orders"));
        sums.put("pieces", database.number("SELECT coalesce(sum(quantity), 0) FROM order_lines"));
        sums.put("gone from stock", database.number("SELECT sum(100000 - stock) FROM products"));
        sums.put("attached bytes", database.number("SELECT coalesce(sum(length(content)), 0) FROM attachments"));
        Map<String, Long> statements = new TreeMap<>();
        for (List<String> row : database.rows(STATEMENTS)) {
            statements.put(row.get(0), Long.parseLong(row.get(1)));
        }
        JsonNode health = pricing.get("/health");
        return new Upstreams(
                rows,
                sums,
                statements,
                connections(database, cache),
                commands(cache),
                health.path("asked").asLong());
    }

    private static Map<String, Long> connections(Database database, Cache cache) throws SQLException, IOException {
        Map<String, Long> connections = new TreeMap<>();
        connections.put(
                "PostgreSQL", database.number("SELECT count(*) FROM pg_stat_activity WHERE usename = 'orders'"));
        connections.put(
                "Redis",
                cache.lines("CLIENT LIST").stream()
                        .filter(line -> line.contains(" user=orders "))
                        .count());
        return connections;
    }

    /** Lines like {@code cmdstat_get:calls=1206,usec=…}. */
    private static Map<String, Long> commands(Cache cache) throws IOException {
        Map<String, Long> commands = new TreeMap<>();
        for (String line : cache.lines("INFO commandstats")) {
            if (line.startsWith("cmdstat_")) {
                String name = line.substring("cmdstat_".length(), line.indexOf(':'));
                String calls = line.substring(line.indexOf("calls=") + "calls=".length(), line.indexOf(','));
                commands.put(name, Long.parseLong(calls));
            }
        }
        return commands;
    }
}
