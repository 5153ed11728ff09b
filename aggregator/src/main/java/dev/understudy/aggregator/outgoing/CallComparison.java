package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.exchange.Form;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the calls that two JVMs made for one inbound exchange differ.
 *
 * <p>Calls of equal form to the same upstream are the same call, however often: first those of which debug's got
 * production's reply, then in order. What remains on both sides is changed where upstream and family are the same, in
 * order, and else left out or added. Costs the square of the number of calls.
 */
final class CallComparison {
    /** Calls of one side, at most. */
    static final int MOST = 1_000;

    private final Map<ProductionCall, DebugCall> pairs = new LinkedHashMap<>();
    private final List<ProductionCall> leftOut = new ArrayList<>();
    private final List<DebugCall> added = new ArrayList<>();
    private final List<CallDifference> differences = new ArrayList<>();

    private CallComparison(List<ProductionCall> production, List<DebugCall> debug) {
        pair(production, debug);
        changed();
        reordered();
    }

    /**
     * Compares them.
     *
     * @param production in the order in which they began
     * @param debug in the order in which they were asked
     */
    static List<CallDifference> of(List<ProductionCall> production, List<DebugCall> debug) {
        return new CallComparison(production, debug).differences;
    }

    private void pair(List<ProductionCall> production, List<DebugCall> debug) {
        Map<ProductionCall.Twin, DebugCall> takers = new HashMap<>();
        debug.stream().filter(call -> call.twin() != null).forEach(call -> takers.put(call.twin(), call));
        Map<ProductionCall, @Nullable DebugCall> sides = new LinkedHashMap<>();
        Map<What, Deque<DebugCall>> others = new HashMap<>();
        added.addAll(debug);
        for (ProductionCall call : production) {
            DebugCall taker = takers.get(call.twin());
            sides.put(call, taker);
            added.remove(taker);
        }
        added.forEach(call -> others.computeIfAbsent(new What(call.upstream(), call.form()), any -> new ArrayDeque<>())
                .add(call));
        sides.forEach((call, taker) -> {
            Deque<DebugCall> equal = others.get(new What(call.upstream(), call.form()));
            DebugCall other = taker != null || equal == null ? taker : equal.poll();
            if (other == null) {
                leftOut.add(call);
            } else {
                pairs.put(call, other);
                added.remove(other);
            }
        });
    }

    private void changed() {
        for (ProductionCall call : leftOut) {
            DebugCall instead = null;
            for (Iterator<DebugCall> rest = added.iterator(); instead == null && rest.hasNext(); ) {
                DebugCall other = rest.next();
                if (other.upstream().equals(call.upstream())
                        && other.form().family().equals(call.form().family())) {
                    instead = other;
                    rest.remove();
                }
            }
            CallDifference.Kind kind = instead == null ? CallDifference.Kind.LEFT_OUT : CallDifference.Kind.CHANGED;
            String debug = instead == null ? null : instead.form().text();
            differences.add(
                    new CallDifference(kind, call.upstream(), call.form().text(), debug));
        }
        for (DebugCall call : added) {
            differences.add(new CallDifference(
                    CallDifference.Kind.ADDED,
                    call.upstream(),
                    null,
                    call.form().text()));
        }
    }

    /** Only what had to wait for each other on both sides has an order: what overlaps may come either way. */
    private void reordered() {
        List<ProductionCall> inOrder = List.copyOf(pairs.keySet());
        for (int later = 1; later < inOrder.size(); later++) {
            ProductionCall second = inOrder.get(later);
            for (ProductionCall first : inOrder.subList(0, later)) {
                if (first.endNanos() < second.startNanos() && swapped(first, second)) {
                    differences.add(new CallDifference(
                            CallDifference.Kind.REORDERED,
                            second.upstream(),
                            first.form().text(),
                            second.form().text()));
                    break;
                }
            }
        }
    }

    private boolean swapped(ProductionCall first, ProductionCall second) {
        DebugCall one = pairs.get(first);
        DebugCall other = pairs.get(second);
        return one != null && other != null && other.answeredNanos() <= one.askedNanos();
    }

    private record What(String upstream, Form form) {}
}
