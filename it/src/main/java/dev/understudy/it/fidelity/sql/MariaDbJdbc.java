package dev.understudy.it.fidelity.sql;

import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.Transcript;
import dev.understudy.it.fidelity.server.MariaDbServer;
import dev.understudy.it.fidelity.server.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What applications use of JDBC, one named piece of work each, over MariaDB's driver in one of its ways. */
public final class MariaDbJdbc implements Suite {
    private final String way;
    private final String properties;
    private final Map<String, Work> works = new LinkedHashMap<>();

    /**
     * Makes one.
     *
     * @param way one word for the suite's name; "" for the driver's defaults
     * @param properties of the URL that choose it, each after an ampersand
     */
    public MariaDbJdbc(String way, String properties) {
        this.way = way;
        this.properties = properties;
        MariaDbWorks.addTo(works);
    }

    @Override
    public String name() {
        return "mariadb" + (way.isEmpty() ? "" : "-" + way);
    }

    @Override
    public String about() {
        return "MariaDB Connector/J 3.5.6" + (properties.isEmpty() ? "" : " with " + properties.substring(1)) + ", "
                + works.size() + " uses of its API; an operation is one of them, on a connection of its own";
    }

    @Override
    public Server.Kind server() {
        return Server.Kind.MYSQL;
    }

    @Override
    public List<String> programs() {
        return List.of("mariadbd", "mariadb-install-db", "mariadb");
    }

    @Override
    public void prepare(Server server) throws Exception {
        String url = MariaDbServer.url(server.port(), "&allowMultiQueries=true");
        try (Connection connection = DriverManager.getConnection(url, "bench", "");
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE shop");
            statement.execute("CREATE DATABASE shop");
            statement.execute("USE shop");
            statement.execute("CREATE TABLE items (id int AUTO_INCREMENT PRIMARY KEY, name varchar(100) UNIQUE,"
                    + " price decimal(10,2), born timestamp(6) NOT NULL DEFAULT now(6))");
            statement.execute(
                    "INSERT INTO items (name, price) SELECT concat('item ', seq), seq * 1.5 FROM seq_1_to_500");
            statement.execute("CREATE TABLE kinds (a tinyint, b smallint, c int, d bigint, e float, f double,"
                    + " g decimal(20,5), h bit(3), i char(5), j text, k varbinary(20), " + "l blob, m date, n time(3),"
                    + " o datetime(6), p year, q json, r enum('x','y'), s "
                    + "set('x','y'), t bigint unsigned, u uuid, v inet6)");
            statement.execute("CREATE PROCEDURE twice(IN n int, OUT doubled int) SET doubled = n * 2");
            statement.execute("CREATE PROCEDURE both_ends() BEGIN"
                    + " SELECT id, name FROM items ORDER BY id LIMIT 2;"
                    + " SELECT id, name FROM items ORDER BY id DESC LIMIT 3; END");
            statement.execute("CREATE FUNCTION half(n int) RETURNS int DETERMINISTIC RETURN n DIV 2");
        }
    }

    @Override
    public void run(Side side) {
        String url = MariaDbServer.url(side.port(), properties);
        works.forEach((name, work) -> side.transcript().add(name, () -> {
            try (Connection connection = DriverManager.getConnection(url, side.user(), side.debug() ? "any" : "")) {
                return unnumbered(work.on(connection));
            } catch (SQLException failed) {
                return unnumbered(Transcript.failure(failed));
            }
        }));
    }

    /** The driver puts its connection's number, which is each side's own, before what the server says. */
    private static String unnumbered(String said) {
        return said.replaceAll("\\(conn=\\d+\\) ", "");
    }
}
