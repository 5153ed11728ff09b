package dev.understudy.sidecar.console;

import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.SignIn;
import dev.understudy.relay.event.SharedState;
import dev.understudy.sidecar.verdict.ExchangeLog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The routes of the console that nobody else has. Its data come from the routes that commands use, too. */
public final class Console {
    private static final Duration PACE = Duration.ofMillis(500);
    private static final int MOST_STREAMS = 16;
    private static final int USUAL_ENTRIES = 50;
    private static final int MOST_ENTRIES = 500;
    private static final Body SIGN_IN = Body.json(4 << 10);

    private final ConsoleFiles files = new ConsoleFiles();
    private final ConsoleSession session;
    private final SharedState now;
    private final Timeline timeline;

    /**
     * @param signIn the port's
     * @param status what {@code /v1/status} answers
     * @param exchanges those that are kept
     * @param timeline hears of all events
     */
    public Console(
            SignIn signIn,
            Supplier<Map<String, Object>> status,
            ExchangeLog exchanges,
            Timeline timeline,
            LongSupplier wallMillis,
            LongSupplier nanoTime) {
        session = new ConsoleSession(signIn);
        this.timeline = timeline;
        AnswerTimes times = new AnswerTimes(exchanges);
        now = new SharedState(
                PACE,
                MOST_STREAMS,
                () -> {
                    Map<String, Object> seen = new LinkedHashMap<>();
                    long at = wallMillis.getAsLong();
                    seen.put("at", at);
                    seen.put("newest", exchanges.newest());
                    seen.put("recent", times.read(at));
                    seen.put("timeline", timeline.revision());
                    seen.put("status", status.get());
                    return seen;
                },
                nanoTime);
    }

    /** Adds them. */
    public Routes addTo(Routes routes) {
        return routes.get(Access.PUBLIC, "/", files::page)
                .get(Access.PUBLIC, "/console/{file}", files::file)
                .get("/v1/console/session", session::read)
                .post(Access.OWN_PAGE, "/v1/console/session", SIGN_IN, session::begin)
                .delete(Access.OWN_PAGE, "/v1/console/session", session::end)
                .post(Access.READ, "/v1/console/links", session::link)
                .get("/v1/timeline", this::story)
                .shared(Access.READ, "/v1/console/now", now);
    }

    /** Whether a page is open. On the control thread. */
    public boolean isOpen() {
        return now.callers() > 0;
    }

    private Reply story(Call call) {
        String kind = call.parameter("kind", "");
        if (!kind.isEmpty() && !Timeline.isKind(kind)) {
            throw new IllegalArgumentException("kind: " + kind + " (expected: a kind of event, such as order)");
        }
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("revision", timeline.revision());
        seen.put("entries", timeline.newest(kind, call.number("limit", USUAL_ENTRIES, 1, MOST_ENTRIES)));
        return Reply.json(seen);
    }
}
