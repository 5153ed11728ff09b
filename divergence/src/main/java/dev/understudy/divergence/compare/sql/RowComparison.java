package dev.understudy.divergence.compare.sql;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.ItemOrder;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.value.JsonComparison;
import dev.understudy.divergence.compare.value.MixedText;
import dev.understudy.divergence.content.JsonValue;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares the rows of two results: as bytes first, and as values where these differ. Confined to one thread. */
final class RowComparison {
    /** Rows that are looked at to find those that belong together: as many pairs at most. */
    private static final int MOST_PAIRS = 10_000;

    /** Columns in which rows that belong together differ at most. */
    private static final int MOST_UNLIKE = 3;

    /** Rows whose order is told by what they hold; beyond, a permutation is told by its first rows. */
    private static final int MOST_PERMUTED = 2000;

    private final String path;
    private final ValueNoise noise;
    private final MixedText mixed;
    private final Differences differences;
    private final List<String> places;

    RowComparison(String path, List<SqlColumn> columns, ValueNoise noise, MixedText mixed, Differences differences) {
        this.path = path;
        this.noise = noise;
        this.mixed = mixed;
        this.differences = differences;
        this.places = places(columns);
    }

    /** The order means something: row by row, but for what is the same at the beginning and the end. */
    void inOrder(List<SqlRows.Row> ours, List<SqlRows.Row> theirs) {
        int common = Math.min(ours.size(), theirs.size());
        int from = 0;
        while (from < common && same(ours.get(from), theirs.get(from))) {
            from++;
        }
        int cut = 0;
        while (cut < common - from && same(ours.get(ours.size() - 1 - cut), theirs.get(theirs.size() - 1 - cut))) {
            cut++;
        }
        if (from == ours.size() && from == theirs.size()) {
            return;
        }
        if (ours.size() == theirs.size() && ours.size() <= MOST_PERMUTED && permuted(ours, theirs)) {
            differences.real(path, Difference.Type.ORDER, ItemOrder.of(items(ours)), ItemOrder.of(items(theirs)));
            return;
        }
        for (int i = from; i < Math.max(ours.size(), theirs.size()) - cut && !differences.full(); i++) {
            if (i < common - cut) {
                pair(i, ours.get(i), theirs.get(i));
            } else if (i < ours.size() - cut) {
                alone(i, Difference.Type.MISSING, ours.get(i));
            } else {
                alone(i, Difference.Type.EXTRA, theirs.get(i));
            }
        }
    }

    /** The order means nothing, and how often a row occurs means everything. */
    void inAnyOrder(List<SqlRows.Row> ours, List<SqlRows.Row> theirs) {
        Map<ByteBuffer, Deque<Integer>> places = new HashMap<>();
        for (int i = 0; i < theirs.size(); i++) {
            places.computeIfAbsent(ByteBuffer.wrap(theirs.get(i).bytes()), unseen -> new ArrayDeque<>(1))
                    .add(i);
        }
        boolean moved = false;
        int last = -1;
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            Deque<Integer> found = places.get(ByteBuffer.wrap(ours.get(i).bytes()));
            Integer place = found == null ? null : found.poll();
            if (place == null) {
                left.add(i);
            } else {
                moved |= place < last;
                last = place;
            }
        }
        List<Integer> right = new ArrayList<>();
        places.values().forEach(right::addAll);
        right.sort(null);
        Pairing pairs = new Pairing(ours, theirs, left, right);
        moved |= pairs.moved();
        if (moved && ours.size() == theirs.size()) {
            String shown = ours.size() + " rows";
            differences.noise(path, Difference.Type.ORDER, shown, shown, Noise.SET_ORDER);
        }
        pairs.report();
    }

    /** Finds for each row that has no equal the one that it is likest to. */
    private final class Pairing {
        private final List<SqlRows.Row> ours;
        private final List<SqlRows.Row> theirs;
        private final List<Integer> left;
        private final List<Integer> right;
        private final int[] partners;

        Pairing(List<SqlRows.Row> ours, List<SqlRows.Row> theirs, List<Integer> left, List<Integer> right) {
            this.ours = ours;
            this.theirs = theirs;
            this.left = left;
            this.right = right;
            this.partners = new int[left.size()];
            boolean few = (long) left.size() * right.size() <= MOST_PAIRS;
            if (few) {
                likest();
            } else {
                Arrays.setAll(partners, i -> i < right.size() ? i : -1);
            }
        }

        private void likest() {
            List<List<@Nullable String>> rows = values(ours, left);
            List<List<@Nullable String>> others = values(theirs, right);
            boolean[] taken = new boolean[others.size()];
            Arrays.fill(partners, -1);
            for (int most = 0; most <= MOST_UNLIKE; most++) {
                for (int i = 0; i < rows.size(); i++) {
                    for (int j = 0; partners[i] < 0 && j < others.size(); j++) {
                        if (!taken[j] && differing(rows.get(i), others.get(j), most) <= most) {
                            partners[i] = j;
                            taken[j] = true;
                        }
                    }
                }
            }
            rest(taken);
        }

        /** What is unlike all others stands beside what is, too: the same number of rows on both sides. */
        private void rest(boolean[] taken) {
            int next = 0;
            for (int i = 0; i < partners.length && ours.size() == theirs.size(); i++) {
                while (partners[i] < 0 && next < taken.length && taken[next]) {
                    next++;
                }
                if (partners[i] < 0 && next < taken.length) {
                    partners[i] = next++;
                }
            }
        }

        boolean moved() {
            int last = -1;
            for (int partner : partners) {
                if (partner >= 0 && partner < last) {
                    return true;
                }
                last = Math.max(last, partner);
            }
            return false;
        }

        void report() {
            Set<Integer> found = new HashSet<>();
            for (int i = 0; i < left.size() && !differences.full(); i++) {
                int place = left.get(i);
                if (partners[i] < 0) {
                    alone(place, Difference.Type.MISSING, ours.get(place));
                } else {
                    found.add(partners[i]);
                    pair(place, ours.get(place), theirs.get(right.get(partners[i])));
                }
            }
            for (int j = 0; j < right.size() && !differences.full(); j++) {
                if (!found.contains(j)) {
                    alone(right.get(j), Difference.Type.EXTRA, theirs.get(right.get(j)));
                }
            }
        }
    }

    private static List<List<@Nullable String>> values(List<SqlRows.Row> rows, List<Integer> which) {
        return which.stream().map(place -> rows.get(place).values()).toList();
    }

    /** In how many columns rows really differ, as far as that is no more than {@code most}. */
    private int differing(List<@Nullable String> ours, List<@Nullable String> theirs, int most) {
        if (ours.size() != theirs.size()) {
            return Integer.MAX_VALUE;
        }
        int count = 0;
        for (int i = 0; i < ours.size() && count <= most; i++) {
            String one = ours.get(i);
            String two = theirs.get(i);
            boolean noisy = one != null && two != null && !one.equals(two) && noise.ofText(one, two) != null;
            count += Objects.equals(one, two) || noisy ? 0 : 1;
        }
        return count;
    }

    private void pair(int index, SqlRows.Row ours, SqlRows.Row theirs) {
        if (same(ours, theirs)) {
            return;
        }
        List<@Nullable String> one = ours.values();
        List<@Nullable String> two = theirs.values();
        String row = path + "[" + index + "]";
        if (one.size() != two.size()) {
            differences.real(row, Difference.Type.LENGTH, one.size() + " values", two.size() + " values");
            return;
        }
        boolean told = false;
        for (int i = 0; i < one.size(); i++) {
            if (!Objects.equals(one.get(i), two.get(i))) {
                value(row + place(i), one.get(i), two.get(i));
                told = true;
            }
        }
        if (!told) { // never SAME without a reason
            differences.real(
                    row,
                    Difference.Type.ENCODING,
                    ours.bytes().length + " bytes",
                    theirs.bytes().length + " other bytes");
        }
    }

    private void value(String place, @Nullable String ours, @Nullable String theirs) {
        if (ours == null || theirs == null) {
            differences.real(place, Difference.Type.TYPE, shown(ours), shown(theirs));
            return;
        }
        Noise why = noise.ofText(ours, theirs);
        if (why != null || !mixed.compare(place, ours, theirs)) {
            differences.add(place, Difference.Type.VALUE, ours, theirs, why);
        }
    }

    private void alone(int index, Difference.Type type, SqlRows.Row row) {
        boolean missing = type == Difference.Type.MISSING;
        String shown = shown(row.values());
        differences.real(path + "[" + index + "]", type, missing ? shown : null, missing ? null : shown);
    }

    /** With names, by which what is secret is masked. */
    private String shown(List<@Nullable String> values) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            String quoted = value == null ? "NULL" : '"' + value.replace('"', '\'') + '"';
            row.append(i == 0 ? "" : ", ")
                    .append(place(i).substring(1))
                    .append('=')
                    .append(quoted);
        }
        return row.toString();
    }

    private static String shown(@Nullable String value) {
        return value == null ? "NULL" : value;
    }

    private String place(int column) {
        return column < places.size() ? places.get(column) : "[" + column + "]";
    }

    /** Of columns of one name, the second and all others have a number, too. */
    private static List<String> places(List<SqlColumn> columns) {
        Map<String, Integer> seen = new HashMap<>();
        List<String> places = new ArrayList<>(columns.size());
        for (SqlColumn column : columns) {
            int times = seen.merge(column.name(), 1, Integer::sum);
            StringBuilder place = new StringBuilder();
            JsonComparison.appendName(place, times == 1 ? column.name() : column.name() + "#" + times);
            places.add(place.toString());
        }
        return places;
    }

    private static boolean same(SqlRows.Row ours, SqlRows.Row theirs) {
        return Arrays.equals(ours.bytes(), theirs.bytes());
    }

    private static boolean permuted(List<SqlRows.Row> ours, List<SqlRows.Row> theirs) {
        Map<ByteBuffer, Integer> counts = new HashMap<>();
        ours.forEach(row -> counts.merge(ByteBuffer.wrap(row.bytes()), 1, Integer::sum));
        return theirs.stream().allMatch(row -> counts.merge(ByteBuffer.wrap(row.bytes()), -1, Integer::sum) >= 0);
    }

    private static List<JsonValue> items(List<SqlRows.Row> rows) {
        return rows.stream().map(RowComparison::item).toList();
    }

    private static JsonValue item(SqlRows.Row row) {
        return new JsonValue.Arr(row.values().stream()
                .map(value -> (JsonValue) new JsonValue.Str(value == null ? "NULL" : '=' + value))
                .toList());
    }
}
