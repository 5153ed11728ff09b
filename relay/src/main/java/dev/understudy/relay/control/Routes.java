package dev.understudy.relay.control;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the control port answers, path by path.
 *
 * <p>Handlers run on the control thread: they read counters and snapshots, and never wait. An {@link
 * IllegalArgumentException} becomes 400 with its message, anything else 500. Filled before the server opens, read-only
 * afterwards.
 */
public final class Routes {
    private final Map<String, Function<Call, Reply>> gets = new TreeMap<>();
    private final Map<String, Function<Call, Reply>> posts = new TreeMap<>();
    private final Map<String, Stream> streams = new TreeMap<>();

    /** Answers GET (and HEAD) on a path. */
    public Routes get(String path, Function<Call, Reply> handler) {
        gets.put(path, handler);
        return this;
    }

    /** Answers POST on a path. */
    public Routes post(String path, Function<Call, Reply> handler) {
        posts.put(path, handler);
        return this;
    }

    /** Sends a value as a server-sent event at once and then every {@code period}, as long as the caller stays. */
    public Routes stream(String path, Duration period, Supplier<Object> event) {
        streams.put(path, new Stream(period, event));
        return this;
    }

    @Nullable
    Stream streamAt(String path) {
        return streams.get(path);
    }

    Reply answer(String method, Call call) {
        Function<Call, Reply> handler = (method.equals("POST") ? posts : gets).get(call.path());
        if (handler != null) {
            return handler.apply(call);
        }
        if (gets.containsKey(call.path()) || posts.containsKey(call.path()) || streams.containsKey(call.path())) {
            return Reply.problem(405, "Method not allowed", method + " is not answered on " + call.path());
        }
        Set<String> known = new TreeSet<>(gets.keySet());
        known.addAll(posts.keySet());
        known.addAll(streams.keySet());
        return Reply.problem(404, "Not found", call.path() + " (known: " + String.join(", ", known) + ")");
    }

    record Stream(Duration period, Supplier<Object> event) {}
}
