package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.Frontend;
import java.util.LinkedHashMap;
import java.util.Map;

/** The statements and portals that a client named, the latest {@value #MOST} of each. Confined to its lane loop. */
final class PgStatements {
    static final int MOST = 256;

    private static final Portal NO_PORTAL = new Portal(PgStatement.UNKNOWN, Formats.TEXT);

    private final Map<String, PgStatement> statements = latest();
    private final Map<String, Portal> portals = latest();

    /** @param formats of the values in its rows */
    record Portal(PgStatement statement, Formats formats) {}

    /** A name that is taken goes on standing for the earlier statement if the server refuses the new one. */
    PgStatement parsed(Frontend.Parse parse) {
        PgStatement statement = PgStatement.of(parse.sql());
        PgStatement before = parse.statement().isEmpty() ? null : statements.get(parse.statement());
        if (before != null && before.ordered()) {
            statement = statement.inOrder();
        }
        statements.put(parse.statement(), statement);
        return statement;
    }

    void bound(Frontend.Bind bind) {
        portals.put(bind.portal(), new Portal(statement(bind.statement()), bind.results()));
    }

    void closed(Frontend.Close close) {
        (close.portal() ? portals : statements).remove(close.name());
    }

    PgStatement statement(String name) {
        return statements.getOrDefault(name, PgStatement.UNKNOWN);
    }

    Portal portal(String name) {
        return portals.getOrDefault(name, NO_PORTAL);
    }

    private static <T> Map<String, T> latest() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
                return size() > MOST;
            }
        };
    }
}
