package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One Execute of a portal whose result is known: as many rows as the client wants at once, whatever production wanted. */
final class Fetch {
    private static final PgMessage SUSPENDED = new PgMessage('s', new byte[0]);

    private final DebugPortal portal;
    private final PgResult result;
    private final RowWriter rows;

    Fetch(DebugPortal portal, PgResult result, TextStyle style) {
        this.portal = portal;
        this.result = result;
        this.rows = new RowWriter(result, portal.formats, style);
    }

    /** Writes the rows and what follows them; or returns the error that is to be the end instead. */
    @Nullable
    PgMessage write(int limit, Outlet outlet) {
        List<Column> told = portal.statement.told;
        if (told != null && result.columns() != null && !sameTypes(told, result.columns())) {
            return Misfit.notPresentable("its columns are not those that were described before");
        }
        if (portal.position == 0) {
            result.notices().forEach(outlet::write);
        }
        int sent = 0;
        while (portal.position < result.rows().size() && (limit <= 0 || sent < limit)) {
            PgMessage row = rows.row(portal.position);
            if (row == null) {
                return Misfit.notPresentable(rows.reason());
            }
            outlet.write(row);
            portal.position++;
            sent++;
        }
        if (limit > 0 && sent == limit) {
            outlet.write(SUSPENDED);
            return null;
        }
        return end(sent, outlet);
    }

    private @Nullable PgMessage end(int sent, Outlet outlet) {
        PgMessage end = rows.end(sent);
        return switch (end.type()) {
            case 'E' -> end;
            case 's' ->
                Misfit.notPresentable("production read only " + result.rows().size() + " rows of it");
            default -> {
                outlet.write(end);
                yield null;
            }
        };
    }

    private static boolean sameTypes(List<Column> told, List<Column> columns) {
        if (told.size() != columns.size()) {
            return false;
        }
        for (int i = 0; i < told.size(); i++) {
            if (told.get(i).type() != columns.get(i).type()) {
                return false;
            }
        }
        return true;
    }
}
