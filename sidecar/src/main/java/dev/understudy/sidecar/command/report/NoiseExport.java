package dev.understudy.sidecar.command.report;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.understudy.sidecar.report.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes rules for what differs again and again and always holds the same kind of value, beside those that are in
 * force, for people to review. Numbers are proposed as comments only: a wrong price looks like a counter.
 */
final class NoiseExport {
    private static final String NUMBER = "number";
    private static final JsonStringEncoder QUOTED = JsonStringEncoder.getInstance();

    private final String debug;
    private final long least;
    private final double share;
    private final StringBuilder out = new StringBuilder();
    private final Set<List<String>> learned = new HashSet<>();
    private int unexplained;

    /**
     * Begins a file about one debug JVM.
     *
     * @param least in how many exchanges a place has to differ
     * @param share in which share of its route's compared exchanges, from 0 to 1
     */
    NoiseExport(String debug, long least, double share) {
        this.debug = debug;
        this.least = least;
        this.share = share;
    }

    String write(Session session) {
        out.append("# Noise rules, for comparison.noise-rules in the sidecar's settings. Review "
                + "them: what they name is overlooked as\n");
        out.append("# long as both sides hold a value of that kind (time, uuid, number, token, "
                + "order; any: whatever it is, also nothing).\n# none: nothing may "
                + "differ there, whatever has been learned.\n");
        out.append("# From ")
                .append(session.since())
                .append(" to ")
                .append(session.until())
                .append(".\n");
        out.append("rules:\n");
        int begun = out.length();
        for (Session.Rule rule : session.rules()) {
            if (rule.debug().equals(debug)) {
                out.append("  # in force, ")
                        .append(rule.fired() == 0 ? "never fired" : "fired in " + rule.fired() + " exchanges");
                out.append('\n');
                line("  - ", rule.route(), rule.path(), rule.value());
            }
        }
        for (Session.Learned place : session.learned()) {
            if (place.debug().equals(debug)) {
                learned.add(List.of(place.route(), place.path()));
                learned(place);
            }
        }
        for (Session.Copy copy : session.copies()) {
            if (copy.debug().equals(debug)) {
                proposals(copy);
            }
        }
        if (out.indexOf("\n  - ", begun - 1) < 0) {
            out.insert(begun - 1, " []");
        }
        if (unexplained > 0) {
            out.append("# No rule is proposed for ").append(unexplained);
            out.append(" more places: too rare, or not always the same kind of value.\n");
        }
        return out.toString();
    }

    private void learned(Session.Learned place) {
        out.append("  # learned as ")
                .append(place.kind())
                .append(": reported in ")
                .append(place.seen());
        out.append(" exchanges, overlooked in ")
                .append(place.fired())
                .append(" since; in ")
                .append(place.broken());
        out.append(" it was something else\n");
        String value = place.value();
        boolean wider = value == null;
        String widest = place.kind().equals("host") ? "any" : NUMBER;
        line(
                wider ? "  # wider than what was learned: - " : "  - ",
                place.route(),
                place.path(),
                wider ? widest : value);
    }

    private void proposals(Session.Copy copy) {
        Map<String, Long> compared = new LinkedHashMap<>();
        for (Session.Route route : copy.routes()) {
            long notCompared = route.verdicts().getOrDefault("NOT_COMPARED", 0L);
            long all = route.verdicts().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            compared.put(route.route(), all - notCompared);
        }
        Map<List<String>, List<Session.Place>> places = new LinkedHashMap<>();
        for (Session.Place place : copy.places()) {
            if (place.noise() == null && !learned.contains(List.of(place.route(), place.path()))) {
                places.computeIfAbsent(List.of(place.route(), place.path()), unseen -> new ArrayList<>())
                        .add(place);
            }
        }
        places.values()
                .forEach(
                        same -> proposal(same, compared.getOrDefault(same.get(0).route(), 0L)));
    }

    private void proposal(List<Session.Place> same, long compared) {
        Session.Place place = same.get(0);
        String value = place.value();
        long count = place.count();
        if (value == null || same.size() > 1 || count < least || count < share * compared || whole(place.path())) {
            unexplained++;
            return;
        }
        out.append(String.format(Locale.ROOT, "  # differed in %d of %d exchanges", count, compared));
        out.append(value.equals(NUMBER) ? ": a counter or a generated key? A wrong price would look so, too\n" : "\n");
        line(value.equals(NUMBER) ? "  # - " : "  - ", place.route(), place.path(), value);
    }

    /** Whether that is all of a body or the status, of which no rule should be made without thought. */
    private static boolean whole(String path) {
        return path.equals("status") || path.equals("body") || path.endsWith("…");
    }

    private void line(String begin, String route, String path, @Nullable String value) {
        out.append(begin)
                .append("{route: ")
                .append(quoted(route))
                .append(", path: ")
                .append(quoted(path));
        out.append(", value: ").append(value).append("}\n");
    }

    private static String quoted(String text) {
        return '"' + new String(QUOTED.quoteAsString(text)) + '"';
    }
}
