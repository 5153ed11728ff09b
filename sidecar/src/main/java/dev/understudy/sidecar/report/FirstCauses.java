package dev.understudy.sidecar.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts divergences that may only follow from earlier ones below these. By what their first exchanges have in common:
 * the same pair of values that differ, the same thing by its key, the same session, the same connection. That is a
 * presumption, and the report says so.
 */
final class FirstCauses {
    private static final Pattern KEY = Pattern.compile("([A-Za-z_-]+)[/:]([0-9A-Za-z-]*[0-9][0-9A-Za-z-]*)");
    private static final Set<String> READS =
            Set.of("GET", "HEAD", "OPTIONS", "TRACE", "MGET", "HGET", "HGETALL", "EXISTS");
    private static final int SHORTEST = 3;

    private FirstCauses() {}

    /**
     * One divergence, with those that may follow from it.
     *
     * @param why it may follow from the one above; null for a first cause
     */
    record Node(Session.Cause cause, @Nullable String why, List<Node> followers) {
        /** All divergences in it. */
        long total() {
            return cause.count() + followers.stream().mapToLong(Node::total).sum();
        }
    }

    /** First causes by when they were first seen. */
    static List<Node> of(List<Session.Cause> causes) {
        List<Session.Cause> sorted = new ArrayList<>(causes);
        sorted.sort(Comparator.comparingLong(cause -> cause.first().exchange()));
        List<Node> first = new ArrayList<>();
        Map<String, Node> byPair = new HashMap<>();
        Map<String, Node> written = new HashMap<>();
        Map<String, Node> sessions = new HashMap<>();
        Map<Long, Node> connections = new HashMap<>();
        for (Session.Cause cause : sorted) {
            Set<String> pairs = pairs(cause);
            Set<String> keys = keys(cause.first().request());
            Node above = explained(cause, pairs, byPair) ? earliest(byPair, pairs) : null;
            String why = "the same values differ";
            if (above == null) {
                above = earliest(written, keys);
                why = "it is about the same thing";
            }
            String session = cause.first().session();
            if (above == null && session != null) {
                above = sessions.get(session);
                why = "it came later in the same session";
            }
            if (above == null) {
                above = connections.get(cause.first().connection());
                why = "it came later on the same connection";
            }
            Node node = new Node(
                    cause, above == null ? null : why + " as in exchange " + exchange(above), new ArrayList<>());
            (above == null ? first : above.followers).add(node);
            Node root = above == null ? node : above;
            pairs.forEach(pair -> byPair.putIfAbsent(pair, root));
            if (!READS.contains(method(cause.first().request()))) {
                keys.forEach(key -> written.putIfAbsent(key, root));
                connections.putIfAbsent(cause.first().connection(), root);
                if (session != null) {
                    sessions.putIfAbsent(session, root);
                }
            }
        }
        return first;
    }

    /**
     * Whether nothing differs but values that differed in the same way before: one that is new may be another cause.
     */
    private static boolean explained(Session.Cause cause, Set<String> pairs, Map<String, Node> byPair) {
        long real = cause.first().differences().stream()
                .filter(shown -> shown.noise() == null)
                .map(FirstCauses::pair)
                .distinct()
                .count();
        return pairs.size() == real && byPair.keySet().containsAll(pairs);
    }

    private static long exchange(Node node) {
        return node.cause.first().exchange();
    }

    private static @Nullable Node earliest(Map<String, Node> known, Set<String> names) {
        Node earliest = null;
        for (String name : names) {
            Node node = known.get(name);
            if (node != null && (earliest == null || exchange(node) < exchange(earliest))) {
                earliest = node;
            }
        }
        return earliest;
    }

    /** Values that tell something: not status codes, booleans, digits, or what is masked or cut off. */
    private static Set<String> pairs(Session.Cause cause) {
        Set<String> pairs = new HashSet<>();
        for (Session.Shown shown : cause.first().differences()) {
            String production = shown.production();
            String debug = shown.debug();
            if (shown.noise() == null
                    && shown.type().equals("VALUE")
                    && production != null
                    && debug != null
                    && production.length() >= SHORTEST
                    && debug.length() >= SHORTEST
                    && !production.contains("[masked")
                    && !production.endsWith("characters)")
                    && !production.equals("true")
                    && !production.equals("false")) {
                pairs.add(pair(shown));
            }
        }
        return pairs;
    }

    private static String pair(Session.Shown shown) {
        return shown.production() + '\0' + shown.debug();
    }

    private static Set<String> keys(String request) {
        Set<String> keys = new HashSet<>();
        Matcher matcher = KEY.matcher(request);
        while (matcher.find()) {
            keys.add(matcher.group());
        }
        return keys;
    }

    private static String method(String request) {
        int blank = request.indexOf(' ');
        return blank < 0 ? request : request.substring(0, blank);
    }
}
