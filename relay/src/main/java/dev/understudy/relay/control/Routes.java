package dev.understudy.relay.control;

import dev.understudy.relay.event.EventFeed;
import dev.understudy.relay.event.StateStream;
import io.netty.channel.ChannelHandler;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the control port answers, path by path. A segment of a path in braces stands for anything but nothing.
 *
 * <p>Handlers run on the control thread: they read counters and snapshots, and never wait. An {@link
 * IllegalArgumentException} becomes 400 with its message, anything else 500. Filled before the server opens, read-only
 * afterwards.
 */
public final class Routes {
    private final Map<String, Map<String, Function<Call, Reply>>> paths = new TreeMap<>();
    private final Map<String, Stream> streams = new TreeMap<>();

    /** Answers GET (and HEAD) on a path. */
    public Routes get(String path, Function<Call, Reply> handler) {
        return add("GET", path, handler);
    }

    /** Answers POST on a path. */
    public Routes post(String path, Function<Call, Reply> handler) {
        return add("POST", path, handler);
    }

    /** Answers PUT on a path. */
    public Routes put(String path, Function<Call, Reply> handler) {
        return add("PUT", path, handler);
    }

    /** Answers DELETE on a path. */
    public Routes delete(String path, Function<Call, Reply> handler) {
        return add("DELETE", path, handler);
    }

    /** Sends a value as a server-sent event at once and then every {@code period}, as long as the caller stays. */
    public Routes stream(String path, Duration period, Supplier<Object> event) {
        streams.put(path, lastId -> new StateStream(period, event));
        return this;
    }

    /** Tells those who ask for {@code path} what happens, as long as they stay; 503 when too many follow already. */
    public Routes events(String path, EventFeed feed) {
        streams.put(path, new Stream() {
            @Override
            public @Nullable Reply refusal() {
                String reason = feed.refusal();
                return reason == null ? null : Reply.problem(503, "Too many callers", reason);
            }

            @Override
            public ChannelHandler open(@Nullable String lastId) {
                return feed.open(lastId);
            }
        });
        return this;
    }

    /** All that is answered: the methods of each path, HEAD left out. */
    public Map<String, Set<String>> listed() {
        Map<String, Set<String>> listed = new TreeMap<>();
        paths.forEach((path, methods) -> listed.put(path, new TreeSet<>(methods.keySet())));
        streams.keySet()
                .forEach(path ->
                        listed.computeIfAbsent(path, added -> new TreeSet<>()).add("GET"));
        return listed;
    }

    @Nullable
    Stream streamAt(String path) {
        return streams.get(path);
    }

    Reply answer(String method, Call call) {
        String wanted = method.equals("HEAD") ? "GET" : method;
        boolean known = streams.containsKey(call.path());
        for (Map.Entry<String, Map<String, Function<Call, Reply>>> path : paths.entrySet()) {
            Map<String, String> captures = captures(path.getKey(), call.path());
            if (captures != null) {
                known = true;
                Function<Call, Reply> handler = path.getValue().get(wanted);
                if (handler != null) {
                    return handler.apply(call.capturing(captures));
                }
            }
        }
        return known
                ? Reply.problem(405, "Method not allowed", method + " is not answered on " + call.path())
                : Reply.problem(
                        404, "Not found", call.path() + " (known: " + String.join(", ", listed().keySet()) + ")");
    }

    private Routes add(String method, String path, Function<Call, Reply> handler) {
        paths.computeIfAbsent(path, added -> new TreeMap<>()).put(method, handler);
        return this;
    }

    /** What stands where {@code route} has braces, or null if it is another path. */
    private static @Nullable Map<String, String> captures(String route, String path) {
        if (route.indexOf('{') < 0) {
            return route.equals(path) ? Map.of() : null;
        }
        String[] names = route.split("/", -1);
        String[] parts = path.split("/", -1);
        if (names.length != parts.length) {
            return null;
        }
        Map<String, String> captures = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            if (names[i].startsWith("{") && !parts[i].isEmpty()) {
                captures.put(names[i].substring(1, names[i].length() - 1), parts[i]);
            } else if (!names[i].equals(parts[i])) {
                return null;
            }
        }
        return captures;
    }

    /** What serves those who stay. */
    interface Stream {
        /** Why nobody more is served; null if one is. */
        default @Nullable Reply refusal() {
            return null;
        }

        /** What takes the rest of the connection over; {@code lastId} as the caller gave it, or null. */
        ChannelHandler open(@Nullable String lastId);
    }
}
