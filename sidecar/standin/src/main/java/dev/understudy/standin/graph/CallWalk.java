package dev.understudy.standin.graph;

import dev.understudy.standin.trace.NodeKind;
import dev.understudy.standin.trace.TracedSpan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the calls that a request made: from its span down, as long as spans are its service's. Spans of a call within
 * one another, such as a library's in another's, are one call. Confined to one thread.
 */
final class CallWalk {
    private static final int NONE = -1;
    private static final String UNKNOWN = "(unknown)";

    private final TraceTree tree;
    private final NodeNames names;
    private final List<MadeCall> calls = new ArrayList<>();
    private final Deque<Step> ahead = new ArrayDeque<>();
    /** The outermost spans of calls, each with the one within that knows whom it asked. */
    private final Map<Integer, Integer> open = new LinkedHashMap<>();

    private final Set<Integer> answered = new HashSet<>();
    private int walked;

    /**
     * A span to look at.
     *
     * @param call the outermost span of the call that it is part of, if any
     */
    private record Step(int place, int call) {}

    private CallWalk(TraceTree tree, NodeNames names) {
        this.tree = tree;
        this.names = names;
    }

    /** The walk from a span with {@link TraceTree#isRequest}. */
    static CallWalk from(int request, TraceTree tree, NodeNames names) {
        CallWalk walk = new CallWalk(tree, names);
        walk.walk(request);
        return walk;
    }

    /** The calls by their start. */
    List<MadeCall> calls() {
        return calls;
    }

    /** How many spans belong to the request. */
    int walked() {
        return walked;
    }

    private void walk(int request) {
        enter(new Step(request, NONE));
        for (Step step = ahead.poll(); step != null; step = ahead.poll()) {
            if (tree.isRequest(step.place)) {
                answered(step);
            } else {
                enter(step);
            }
        }
        open.forEach((call, knowing) -> {
            if (!answered.contains(call)) {
                unanswered(tree.span(call), tree.span(knowing));
            }
        });
        calls.sort(Comparator.comparingLong(MadeCall::start));
    }

    private void enter(Step step) {
        walked++;
        TracedSpan span = tree.span(step.place);
        int call = step.call;
        if (span.role().isCalling()) {
            call = call == NONE ? step.place : call;
            Integer knowing = open.get(call);
            boolean isKnown = knowing != null && !tree.span(knowing).peer().isEmpty();
            if (knowing == null || (!isKnown && !span.peer().isEmpty())) {
                open.put(call, step.place);
            }
        }
        for (int child : tree.children(step.place)) {
            ahead.push(new Step(child, call));
        }
    }

    private void answered(Step step) {
        TracedSpan asked = tree.span(step.place);
        TracedSpan timed = step.call == NONE ? asked : tree.span(step.call);
        answered.add(step.call);
        calls.add(new MadeCall(names.of(asked.service(), asked.route()), NodeKind.SERVICE, timed.start(), timed.end()));
    }

    private void unanswered(TracedSpan call, TracedSpan knowing) {
        String peer = knowing.peer().isEmpty() ? UNKNOWN : knowing.peer();
        calls.add(new MadeCall(names.of(peer, knowing.route()), knowing.peerKind(), call.start(), call.end()));
    }
}
