package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.report.Report;
import dev.understudy.sidecar.report.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * {@code GET /v1/divergences}: what {@code understudy report --json} prints of the session up to now, first causes
 * first.
 *
 * <p>It is made anew at most once in some seconds, and twenty times as long after as that took. Confined to the control
 * thread.
 */
public final class DivergencesView {
    private static final long PAUSE_NANOS = 2_000_000_000L;
    private static final int SHARE = 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ReportView report;
    private final LongSupplier nanoTime;
    private Map<String, Object> document = Map.of("copies", List.of());
    private long due;
    private boolean made;

    public DivergencesView(ReportView report, LongSupplier nanoTime) {
        this.report = report;
        this.nanoTime = nanoTime;
    }

    /** The document. */
    public Map<String, Object> read() {
        long begun = nanoTime.getAsLong();
        if (!made || begun - due >= 0) {
            document = make();
            long ended = nanoTime.getAsLong();
            due = ended + Math.max(PAUSE_NANOS, SHARE * (ended - begun));
            made = true;
        }
        return document;
    }

    private Map<String, Object> make() {
        try {
            Session session = Session.read(JSON.<JsonNode>valueToTree(report.read()));
            return session.copies().isEmpty()
                    ? Map.of("copies", List.of())
                    : Report.of(session, null).document(List.of());
        } catch (IOException different) {
            throw new UncheckedIOException(different);
        }
    }
}
