package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.wire.redis.RespValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares sets and maps, in which the order says nothing, and how often something occurs says everything. */
final class RespMembers {
    private final RespValueComparison values;
    private final Differences differences;
    private final boolean greeting;

    RespMembers(RespValueComparison values, Differences differences) {
        this(values, differences, false);
    }

    /** @param greeting whether the value of {@code id} is the number of a connection */
    RespMembers(RespValueComparison values, Differences differences, boolean greeting) {
        this.values = values;
        this.differences = differences;
        this.greeting = greeting;
    }

    void members(String path, List<RespValue> production, List<RespValue> debug) {
        Map<String, Deque<RespValue>> theirs = new LinkedHashMap<>();
        for (RespValue member : debug) {
            theirs.computeIfAbsent(RespShape.canonical(member), key -> new ArrayDeque<>(1))
                    .add(member);
        }
        List<RespValue> missing = new ArrayList<>();
        for (RespValue member : production) {
            Deque<RespValue> found = theirs.get(RespShape.canonical(member));
            if (found == null || found.poll() == null) {
                missing.add(member);
            }
        }
        for (RespValue member : missing) {
            differences.real(path, Difference.Type.MISSING, RespShape.shown(member), null);
        }
        boolean extra = false;
        for (Deque<RespValue> left : theirs.values()) {
            for (RespValue member : left) {
                extra = true;
                differences.real(path, Difference.Type.EXTRA, null, RespShape.shown(member));
            }
        }
        if (missing.isEmpty() && !extra) {
            ordered(path, production.size());
        }
    }

    void pairs(String path, List<RespValue.Entry> production, List<RespValue.Entry> debug) {
        Map<String, RespValue.Entry> theirs = new HashMap<>();
        debug.forEach(entry -> theirs.put(RespShape.canonical(entry.key()), entry));
        Set<String> ours = new HashSet<>();
        production.forEach(entry -> ours.add(RespShape.canonical(entry.key())));
        if (theirs.size() < debug.size() || ours.size() < production.size()) { // a key occurs twice: pairs are members
            members(path, joined(production), joined(debug));
            return;
        }
        int found = 0;
        boolean inOrder = true;
        for (int i = 0; i < production.size(); i++) {
            RespValue.Entry entry = production.get(i);
            String key = RespShape.canonical(entry.key());
            RespValue.Entry other = theirs.remove(key);
            String place = path + "." + RespShape.name(entry.key());
            if (other == null) {
                differences.real(place, Difference.Type.MISSING, RespShape.shown(entry.value()), null);
                continue;
            }
            found++;
            inOrder &= i < debug.size() && debug.get(i).equals(other);
            if (greeting
                    && RespShape.name(entry.key()).equals("id")
                    && !entry.value().equals(other.value())) {
                values.own(place, entry.value(), other.value());
            } else {
                values.compare(place, RespAnswer.PLAIN, entry.value(), other.value());
            }
        }
        for (RespValue.Entry entry : debug) {
            if (theirs.containsKey(RespShape.canonical(entry.key()))) {
                String place = path + "." + RespShape.name(entry.key());
                differences.real(place, Difference.Type.EXTRA, null, RespShape.shown(entry.value()));
            }
        }
        if (found == production.size() && found == debug.size() && !inOrder) {
            ordered(path, found);
        }
    }

    private static List<RespValue> joined(List<RespValue.Entry> entries) {
        return entries.stream()
                .map(entry -> (RespValue) new RespValue.Array(List.of(entry.key(), entry.value())))
                .toList();
    }

    private void ordered(String path, int size) {
        differences.noise(path, Difference.Type.ORDER, size + " members", size + " members", Noise.SET_ORDER);
    }
}
