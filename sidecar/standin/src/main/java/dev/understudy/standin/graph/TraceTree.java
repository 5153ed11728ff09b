package dev.understudy.standin.graph;

import dev.understudy.standin.trace.TracedSpan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The spans of one trace, by who is whose parent. Spans that came twice are there once. Parents may form rings, as
 * whoever made the trace likes. Confined to one thread.
 */
final class TraceTree {
    private static final int NONE = -1;

    private final List<TracedSpan> spans = new ArrayList<>();
    private final Map<SpanKey, Integer> places = new HashMap<>();
    private final int[] parent;
    private final int[] firstChild;
    private final int[] nextSibling;
    private int orphans;

    /** A caller's span and the span of who answers may share their id. */
    private record SpanKey(long id, boolean calling) {}

    TraceTree(List<TracedSpan> all) {
        for (TracedSpan span : all) {
            if (places.putIfAbsent(new SpanKey(span.id(), span.role().isCalling()), spans.size()) == null) {
                spans.add(span);
            }
        }
        parent = new int[spans.size()];
        firstChild = new int[spans.size()];
        nextSibling = new int[spans.size()];
        Arrays.fill(firstChild, NONE);
        for (int i = spans.size() - 1; i >= 0; i--) {
            parent[i] = parentOf(i);
            if (parent[i] != NONE) {
                nextSibling[i] = firstChild[parent[i]];
                firstChild[parent[i]] = i;
            } else {
                nextSibling[i] = NONE;
            }
        }
    }

    private int parentOf(int place) {
        TracedSpan span = spans.get(place);
        Integer shared = places.get(new SpanKey(span.id(), true));
        if (span.role().isAnswering() && shared != null) {
            return shared;
        }
        Integer caller = places.get(new SpanKey(span.parent(), true));
        Integer other = places.get(new SpanKey(span.parent(), false));
        boolean inCaller =
                caller != null && (other == null || (isOf(caller, span.service()) && !isOf(other, span.service())));
        Integer found = inCaller ? caller : other;
        boolean none = span.parent() == 0 || found == null || found == place;
        orphans += none && span.parent() != 0 ? 1 : 0;
        return none || found == null ? NONE : found;
    }

    private boolean isOf(int place, String service) {
        return spans.get(place).service().equals(service);
    }

    /** How many spans it has. */
    int size() {
        return spans.size();
    }

    /** How many spans have parents that aren't in the trace. */
    int orphans() {
        return orphans;
    }

    TracedSpan span(int place) {
        return spans.get(place);
    }

    /** The places of a span's children. */
    Iterable<Integer> children(int place) {
        List<Integer> children = new ArrayList<>();
        for (int child = firstChild[place]; child != NONE; child = nextSibling[child]) {
            children.add(child);
        }
        return children;
    }

    /** Whether a service begins to work on something there. Its own frameworks' spans within don't begin anew. */
    boolean isRequest(int place) {
        if (parent[place] == NONE) {
            return true;
        }
        TracedSpan above = spans.get(parent[place]);
        TracedSpan span = spans.get(place);
        return !above.service().equals(span.service())
                || (above.role().isCalling() && span.role().isAnswering());
    }
}
