package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.event.EventFeed;
import dev.understudy.relay.event.SharedState;
import dev.understudy.relay.event.StateStream;
import io.netty.channel.ChannelHandler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the control port answers, path by path. A segment of a path in braces stands for anything but nothing.
 *
 * <p>Handlers run on the control thread: they read counters and snapshots, and never wait. What takes longer is
 * answered {@link #later}. An {@link IllegalArgumentException} becomes 400 with its message, anything else 500. Filled
 * before the server opens, read-only afterwards.
 */
public final class Routes {
    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);

    private final Map<String, Map<String, Handler>> paths = new TreeMap<>();
    private final Map<String, Stream> streams = new TreeMap<>();

    /** Answers GET (and HEAD) on a path for {@link Access#READ}. */
    public Routes get(String path, Function<Call, Reply> handler) {
        return get(Access.READ, path, handler);
    }

    /** Answers GET (and HEAD) on a path. */
    public Routes get(Access access, String path, Function<Call, Reply> handler) {
        return add("GET", access, path, Body.json(), handler);
    }

    /** Answers POST on a path. */
    public Routes post(Access access, String path, Function<Call, Reply> handler) {
        return post(access, path, Body.json(), handler);
    }

    /** Answers POST with such a body on a path. */
    public Routes post(Access access, String path, Body body, Function<Call, Reply> handler) {
        return add("POST", access, path, body, handler);
    }

    /** Answers PUT on a path. */
    public Routes put(Access access, String path, Function<Call, Reply> handler) {
        return put(access, path, Body.json(), handler);
    }

    /** Answers PUT with such a body on a path. */
    public Routes put(Access access, String path, Body body, Function<Call, Reply> handler) {
        return add("PUT", access, path, body, handler);
    }

    /** Answers DELETE on a path. */
    public Routes delete(Access access, String path, Function<Call, Reply> handler) {
        return add("DELETE", access, path, Body.json(), handler);
    }

    /**
     * Answers a method on a path when the handler's work is done, on whatever thread. The caller's next request is read
     * after that; it is closed if it has to wait for longer than a reply may take. Whoever does the work bounds it.
     */
    public Routes later(
            Access access, String method, String path, Body body, Function<Call, CompletableFuture<Reply>> handler) {
        paths.computeIfAbsent(path, added -> new TreeMap<>()).put(method, new Handler(access, body, handler));
        return this;
    }

    /**
     * Sends a value as a server-sent event at once and then every {@code period}, as long as the caller stays; to any
     * role.
     */
    public Routes stream(String path, Duration period, Supplier<Object> event) {
        streams.put(path, new Stream() {
            @Override
            public Access access() {
                return Access.ANY_ROLE;
            }

            @Override
            public ChannelHandler open(@Nullable String lastId) {
                return new StateStream(period, event);
            }
        });
        return this;
    }

    /** Sends those with that access one shared value again and again; 503 when too many follow already. */
    public Routes shared(Access access, String path, SharedState state) {
        streams.put(path, new Stream() {
            @Override
            public Access access() {
                return access;
            }

            @Override
            public @Nullable Reply refusal() {
                String reason = state.refusal();
                return reason == null ? null : Reply.problem(503, "Too many callers", reason);
            }

            @Override
            public ChannelHandler open(@Nullable String lastId) {
                return state.open();
            }
        });
        return this;
    }

    /** Sends those who may read what happens, as long as they stay; 503 when too many follow already. */
    public Routes events(String path, EventFeed feed) {
        streams.put(path, new Stream() {
            @Override
            public Access access() {
                return Access.READ;
            }

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

    /** What answers {@code method} on {@code path}; null if nothing does. */
    @Nullable
    Target find(String method, String path) {
        Stream stream = method.equals("GET") ? streams.get(path) : null;
        if (stream != null) {
            return new Target(
                    stream.access(),
                    Body.json(),
                    stream,
                    call -> CompletableFuture.completedFuture(unknown(method, path)));
        }
        String wanted = method.equals("HEAD") ? "GET" : method;
        for (Map.Entry<String, Map<String, Handler>> route : paths.entrySet()) {
            Map<String, String> captures = captures(route.getKey(), path);
            Handler handler = captures == null ? null : route.getValue().get(wanted);
            if (captures != null && handler != null) {
                return new Target(
                        handler.access, handler.body, null, call -> handler.function.apply(call.capturing(captures)));
            }
        }
        return null;
    }

    /** The answer where nothing is found: 405 on a known path, else 404. */
    Reply unknown(String method, String path) {
        boolean known =
                streams.containsKey(path) || paths.keySet().stream().anyMatch(route -> captures(route, path) != null);
        return known
                ? Reply.problem(405, "Method not allowed", method + " is not answered on " + path)
                : Reply.problem(404, "Not found", path + " (known: " + String.join(", ", listed().keySet()) + ")");
    }

    private Routes add(String method, Access access, String path, Body body, Function<Call, Reply> handler) {
        return later(access, method, path, body, call -> CompletableFuture.completedFuture(handler.apply(call)));
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

    private record Handler(Access access, Body body, Function<Call, CompletableFuture<Reply>> function) {}

    /**
     * What answers one request.
     *
     * @param access who may use it
     * @param stream what serves it instead of {@code answer}, or null
     */
    record Target(Access access, Body body, @Nullable Stream stream, Function<Call, CompletableFuture<Reply>> answer) {
        int largest() {
            return body.largest();
        }

        List<String> types() {
            return body.types();
        }

        /** What a call is answered; never fails. */
        CompletableFuture<Reply> reply(Call call) {
            CompletableFuture<Reply> working;
            try {
                working = answer.apply(call);
            } catch (RuntimeException failed) {
                working = CompletableFuture.failedFuture(failed);
            }
            return working.exceptionally(failed -> failure(call, failed));
        }

        private static Reply failure(Call call, Throwable thrown) {
            Throwable failed =
                    thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            if (failed instanceof IllegalArgumentException) {
                return Reply.problem(400, "Bad request", String.valueOf(failed.getMessage()));
            }
            LOG.warn("control call {} failed", call.path(), failed);
            return Reply.problem(500, "Internal error", failed.getClass().getSimpleName());
        }
    }

    /** What serves those who stay. */
    interface Stream {
        /** Who may follow. */
        Access access();

        /** Why nobody more is served; null if one is. */
        default @Nullable Reply refusal() {
            return null;
        }

        /** What takes the rest of the connection over; {@code lastId} as the caller gave it, or null. */
        ChannelHandler open(@Nullable String lastId);
    }
}
