package dev.understudy.sidecar.tee;

import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a listener's input the debug JVM gets.
 *
 * <p>A choice is made by a hash, never by chance: the same request is chosen again when it is sent again, on whichever
 * connection and at whichever sidecar. Stateless but for its settings.
 *
 * @param connections share of the connections, 0 to 1
 * @param requests share of the HTTP requests on those, or of Redis keys, 0 to 1
 * @param header requests are chosen by this header's value, all with the same value or none; null for method and target
 * @param paths only requests whose target begins with one of these; empty for all
 * @param keys only Redis commands about a key that begins with one of these; empty for all
 */
public record Sampling(
        double connections, double requests, @Nullable String header, List<String> paths, List<String> keys) {
    /** Everything. */
    public static final Sampling ALL = new Sampling(1, 1, null, List.of(), List.of());

    private static final double STEPS = 0x1p53;

    public Sampling {
        if (!(connections >= 0 && connections <= 1)) {
            throw new IllegalArgumentException("connections: " + connections + " (expected: 0 to 1)");
        }
        if (!(requests >= 0 && requests <= 1)) {
            throw new IllegalArgumentException("requests: " + requests + " (expected: 0 to 1)");
        }
        paths = List.copyOf(paths);
        keys = List.copyOf(keys);
    }

    /** Whether the connection with that number is copied at all. */
    public boolean takesConnection(long id) {
        return connections >= 1 || share(mixed(id)) < connections;
    }

    /**
     * Whether the debug JVM gets that request. One that asks for another protocol is always taken, since what follows
     * it is no request.
     */
    public boolean takesRequest(RequestHead head) {
        if (requests >= 1 && paths.isEmpty()) {
            return true;
        }
        if (head.method().equals("CONNECT") || head.first("upgrade") != null) {
            return true;
        }
        boolean onPath = paths.isEmpty() || paths.stream().anyMatch(head.target()::startsWith);
        return onPath && (requests >= 1 || share(mixed(hash(key(head)))) < requests);
    }

    /** Whether the debug JVM gets only a part of the Redis commands. */
    public boolean choosesKeys() {
        return requests < 1 || !keys.isEmpty();
    }

    /** Whether the debug JVM gets a Redis command about these keys: if it gets one of them, or if it is about none. */
    public boolean takesKeys(List<byte[]> named) {
        return !choosesKeys() || named.isEmpty() || named.stream().anyMatch(this::takesKey);
    }

    private boolean takesKey(byte[] bytes) {
        String key = new String(bytes, StandardCharsets.UTF_8);
        boolean wanted = keys.isEmpty() || keys.stream().anyMatch(key::startsWith);
        return wanted && (requests >= 1 || share(mixed(hash(key))) < requests);
    }

    private String key(RequestHead head) {
        String value = header == null ? null : head.first(header);
        return header == null ? head.method() + " " + head.target() : value == null ? "" : value;
    }

    private static double share(long bits) {
        return (bits >>> 11) / STEPS;
    }

    /** FNV-1a over the characters. */
    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    /** The finaliser of SplitMix64: near numbers become far ones. */
    private static long mixed(long number) {
        long mixed = number * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
