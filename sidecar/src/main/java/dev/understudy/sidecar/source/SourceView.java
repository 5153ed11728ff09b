package dev.understudy.sidecar.source;

import dev.understudy.divergence.content.Folding;
import dev.understudy.relay.control.AnswerThread;
import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * {@code GET /v1/source?method=com.shop.Cart#total&line=17}: the lines of a method, where sources were named. Files are
 * read by a thread of their own.
 */
public final class SourceView implements AutoCloseable {
    private static final int WAITING = 8;
    private static final int USUAL = 40;
    private static final int MOST = 400;
    private static final int MOST_LINE = 1_000_000;

    /** Characters of a line. */
    private static final int LONGEST = 400;

    /** A line that is asked for has as many of the others before it. */
    private static final int PART_BEFORE = 3;

    private final SourceRoots roots;
    private final AnswerThread thread = new AnswerThread("understudy-sources", WAITING);

    /** @param roots where sources are; none if nothing is to be shown */
    public SourceView(SourceRoots roots) {
        this.roots = roots;
    }

    /** Adds its path to {@code routes}. */
    public Routes addTo(Routes routes) {
        return routes.later(Access.INSPECT, "GET", "/v1/source", Body.json(), this::read);
    }

    @Override
    public void close() {
        thread.close();
    }

    private CompletableFuture<Reply> read(Call call) {
        SourceName name = SourceName.parse(call.parameter("method", ""));
        int line = call.number("line", 0, 0, MOST_LINE);
        int most = call.number("lines", USUAL, 1, MOST);
        if (roots.paths().isEmpty()) {
            return CompletableFuture.completedFuture(
                    Reply.problem(404, "No sources", "the setting sources names no folder or jar"));
        }
        return thread.answer(() -> show(name, line, most));
    }

    private Reply show(SourceName name, int line, int most) {
        SourceFile found;
        try {
            found = roots.find(name);
        } catch (IOException unreadable) {
            return Reply.problem(404, "Not readable", String.valueOf(unreadable.getMessage()));
        }
        if (found == null) {
            return Reply.problem(404, "Not found", "no source of " + name.type() + " in " + roots.paths());
        }
        List<String> lines = found.lines();
        int wanted = line > 0 ? line - 1 - most / PART_BEFORE : found.declaration(name) - 1;
        int from = Math.max(0, Math.min(wanted, lines.size() - 1));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("file", found.path());
        shown.put("of", lines.size());
        shown.put("first", from + 1);
        shown.put(
                "lines",
                lines.subList(from, Math.min(lines.size(), from + most)).stream()
                        .map(text -> Folding.shortened(text, LONGEST))
                        .toList());
        return Reply.json(shown);
    }
}
