package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.steer.BudgetLine;
import dev.understudy.sidecar.command.steer.EpochLine;
import dev.understudy.sidecar.command.steer.Following;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/** {@code /v1/status} as text for people: a few lines for each listener, and the window. Stateless. */
final class StatusScreen {
    /** What an operator did is no reason to call one. */
    private static final Set<String> ON_PURPOSE = Set.of("SWITCHED_OFF", "SHUTDOWN");

    private StatusScreen() {}

    /** The lines, none longer than it has to be. */
    static List<String> lines(JsonNode status) {
        return lines(status, status);
    }

    /** The same, with what was lost since {@code before}, an earlier status of this sidecar. */
    static List<String> lines(JsonNode status, JsonNode before) {
        List<String> lines = new ArrayList<>();
        JsonNode listeners = status.path("listeners");
        for (int n = 0; n < listeners.size(); n++) {
            listener(lines, listeners.path(n), before.path("listeners").path(n));
            lines.add("");
        }
        for (JsonNode window : status.path("windows")) {
            window(lines, window);
        }
        status.path("verdictsKept").forEach(kept -> verdicts(lines, kept));
        for (JsonNode calls : status.path("outgoing")) {
            lines.add(row("upstream calls") + calls.path("debug").asText() + ": "
                    + count(calls.path("SAME")) + " exchanges made the same, "
                    + count(calls.path("DIFFERENT")) + " others, "
                    + count(calls.path("NOT_COMPARED")) + " weren't compared");
        }
        epoch(lines, status.path("epoch"));
        agents(lines, status.path("agents"));
        orders(lines, status.path("orders"));
        String missing = status.path("transportMissing").asText();
        lines.add("sockets by " + status.path("transport").asText() + (missing.isEmpty() ? "" : ": " + missing));
        return lines;
    }

    /** What /v1/verdicts can't show any more. */
    private static void verdicts(List<String> lines, JsonNode kept) {
        if (!kept.path("remedy").asText().isEmpty()) {
            lines.add(row("verdicts kept") + kept.path("debug").asText() + ": the last "
                    + count(kept.path("keptOfEachKind")) + " of each kind; dropped "
                    + counts(kept.path("dropped")) + "; " + kept.path("remedy").asText());
        }
    }

    /** The first one goes without saying. */
    private static void epoch(List<String> lines, JsonNode epoch) {
        if (epoch.path("epoch").asInt() > 1) {
            lines.add(row("epoch") + EpochLine.of(epoch.path("debug").asText(), epoch));
        }
    }

    /** What agents may spend, do spend, and why. */
    private static void agents(List<String> lines, JsonNode agents) {
        for (JsonNode agent : agents) {
            lines.add(row("agent") + BudgetLine.of(agent));
            JsonNode egress = agent.path("egress");
            if (egress.isObject()) {
                lines.add(row("  egress") + egress.path("state").asText() + "; "
                        + egress.path("refused").asLong() + " connections refused");
            }
        }
    }

    /** What was never ordered goes without saying. */
    private static void orders(List<String> lines, JsonNode orders) {
        long revision = orders.path("revision").asLong();
        if (revision == 0) {
            return;
        }
        if (orders.path("agents").isEmpty()) {
            lines.add(row("orders") + "revision " + revision + "; no agent is there to follow them");
        }
        for (JsonNode agent : orders.path("agents")) {
            lines.add(row("orders") + "revision " + revision + "; " + Following.line(agent, revision));
            agent.path("problems").forEach(problem -> lines.add(row("  problem") + problem.asText()));
        }
    }

    /** Whether somebody should look: something was lost, or a debug JVM that should get input can't be reached. */
    static boolean wantsAttention(JsonNode status) {
        for (JsonNode listener : status.path("listeners")) {
            for (JsonNode debug : listener.path("debugs")) {
                Set<String> losses = new TreeSet<>();
                debug.path("losses").fieldNames().forEachRemaining(losses::add);
                losses.removeAll(ON_PURPOSE);
                if (!losses.isEmpty() || debug.path("lanes").path("unreachable").asLong() > 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void listener(List<String> lines, JsonNode listener, JsonNode before) {
        lines.add(
                listener.path("name").asText() + "  " + listener.path("address").asText() + "  tee "
                        + listener.path("tee").asText("on"));
        JsonNode bytes = listener.path("bytes");
        lines.add(row("production")
                + count(listener.path("connections").path("open")) + " connections open of "
                + count(listener.path("connections").path("opened")) + ", "
                + size(bytes.path("request").asLong()) + " in, "
                + size(bytes.path("reply").asLong()) + " out, "
                + count(listener.path("exchanges").path("production")) + " exchanges"
                + latency(listener.path("latencyMillis").path("production")));
        for (JsonNode target : listener.path("production")) {
            if (!target.path("up").asBoolean(true)) {
                lines.add(row("  down") + target.path("set").asText() + ", failed " + count(target.path("failed"))
                        + " clients");
            }
        }
        left(lines, listener);
        recording(lines, listener.path("recording"));
        JsonNode debugs = listener.path("debugs");
        for (int n = 0; n < debugs.size(); n++) {
            debug(lines, debugs.path(n), before.path("debugs").path(n), listener);
        }
    }

    private static void debug(List<String> lines, JsonNode debug, JsonNode before, JsonNode listener) {
        JsonNode lanes = debug.path("lanes");
        lines.add(row(debug.path("debug").asText())
                + count(lanes.path("open")) + " lanes open, "
                + count(lanes.path("connected")) + " connected, "
                + uncopied(listener, lanes)
                + (lanes.path("unreachable").asLong() > 0
                        ? count(lanes.path("unreachable")) + " wait for an unreachable debug JVM ("
                                + lanes.path("obstacle").asText() + "), "
                        : "")
                + size(listener.path("bytes").path("teed").asLong()) + " copied, "
                + count(debug.path("exchanges").path("debug")) + " exchanges"
                + latency(debug.path("latencyMillis").path("debug")));
        lines.add(row("  verdicts") + counts(debug.path("verdicts")));
        if (!debug.path("notCompared").isEmpty()) {
            lines.add(row("  not compared") + counts(debug.path("notCompared")));
        }
        JsonNode joined = debug.path("joinedConnections");
        JsonNode rejoined = debug.path("rejoinedConnections");
        JsonNode unjoined = debug.path("unjoinedConnections");
        if (joined.asLong() + rejoined.asLong() + unjoined.asLong() > 0) {
            lines.add(row("  joined late") + count(joined) + " connections, " + count(rejoined) + " again, "
                    + count(unjoined) + " couldn't be joined");
        }
        if (!debug.path("losses").isEmpty()) {
            lines.add(row("  losses") + losses(debug.path("losses"), before.path("losses")));
        }
        lines.add(row("  fidelity") + debug.path("fidelity").asText());
    }

    /**
     * Connections of which nothing is copied although the tee is on: their lanes were closed, or they wait to be
     * joined.
     */
    private static String uncopied(JsonNode listener, JsonNode lanes) {
        long without = listener.path("connections").path("open").asLong()
                - lanes.path("open").asLong();
        return without > 0 && listener.path("tee").asText("on").equals("on")
                ? without + " connections without a lane, "
                : "";
    }

    /** What was left out on purpose. */
    private static void left(List<String> lines, JsonNode listener) {
        JsonNode sampling = listener.path("notSampled");
        if (sampling.path("connections").asLong() + sampling.path("requests").asLong() > 0) {
            lines.add(row("not sampled") + count(sampling.path("connections")) + " connections, "
                    + count(sampling.path("requests")) + " requests");
        }
    }

    /** The last one, if there was any. */
    static void recording(List<String> lines, JsonNode recording) {
        if (!recording.path("file").asText().isEmpty()) {
            String ended = recording.path("ended").asText();
            lines.add(row("recording")
                    + recording.path("state").asText() + ", "
                    + recording.path("file").asText() + ", "
                    + size(recording.path("bytes").asLong()) + ", "
                    + count(recording.path("connections")) + " connections"
                    + (recording.path("incomplete").asLong()
                                            + recording.path("lostBytes").asLong()
                                    == 0
                            ? ""
                            : ", " + count(recording.path("incomplete")) + " of them incomplete, "
                                    + size(recording.path("lostBytes").asLong()) + " lost")
                    + (ended.isEmpty() ? "" : "; " + ended));
        }
    }

    private static void window(List<String> lines, JsonNode window) {
        lines.add("window of " + window.path("debug").asText());
        lines.add(row("used")
                + percent(window.path("utilisation").asDouble()) + " (at most "
                + percent(window.path("peakUtilisation").asDouble()) + "), "
                + size(window.path("occupancyBytes").asLong()) + " of "
                + size(window.path("capacityBytes").asLong()) + " (at most "
                + size(window.path("peakBytes").asLong()) + ")");
        lines.add(row("lag")
                + millis(window.path("lagMillis").asDouble()) + " (at most "
                + millis(window.path("peakLagMillis").asDouble()) + "), "
                + count(window.path("pending")) + " exchanges pending");
        lines.add(row("rates")
                + rate(window.path("arrivalRate").asDouble()) + " arrive, debug can answer "
                + rate(window.path("serviceRate").asDouble()));
        lines.add(row("overflow") + window.path("estimate").asText());
    }

    private static String latency(JsonNode millis) {
        return ", p50 " + millis(millis.path("p50").asDouble()) + ", p99 "
                + millis(millis.path("p99").asDouble()) + ", max "
                + millis(millis.path("max").asDouble());
    }

    private static String counts(JsonNode counted) {
        StringJoiner all = new StringJoiner(", ");
        for (Map.Entry<String, JsonNode> one : counted.properties()) {
            all.add(count(one.getValue()) + " " + one.getKey());
        }
        return all.toString();
    }

    private static String losses(JsonNode losses, JsonNode before) {
        StringJoiner all = new StringJoiner(", ");
        for (Map.Entry<String, JsonNode> one : losses.properties()) {
            long bytes = one.getValue().path("bytes").asLong();
            long more = bytes - before.path(one.getKey()).path("bytes").asLong();
            all.add(one.getKey() + " on " + count(one.getValue().path("events")) + " connections, " + size(bytes)
                    + (more > 0 ? " (" + size(more) + " just now)" : ""));
        }
        return all.toString();
    }

    private static String row(String name) {
        return String.format(Locale.ROOT, "  %-16s", name);
    }

    private static String count(JsonNode number) {
        return String.format(Locale.ROOT, "%,d", number.asLong()).replace(',', ' ');
    }

    /** Bytes in the largest unit that leaves a number of at least 1. */
    static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double left = bytes / 1024.0;
        for (String unit : new String[] {"KiB", "MiB", "GiB"}) {
            if (left < 1024) {
                return String.format(Locale.ROOT, "%.1f %s", left, unit);
            }
            left /= 1024;
        }
        return String.format(Locale.ROOT, "%.1f TiB", left);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static String millis(double millis) {
        return millis < 10_000
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%.1f/s", perSecond);
    }
}
