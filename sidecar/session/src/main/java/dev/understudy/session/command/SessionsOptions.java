package dev.understudy.session.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.session.ledger.SessionSummary;
import dev.understudy.session.ledger.SessionSummary.State;
import dev.understudy.session.ledger.Sessions;
import dev.understudy.session.ledger.UndoResult;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options about sessions that run, or have left something behind. */
final class SessionsOptions {
    private static final Duration STOP = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 100;
    private static final String ONLY = "";

    @Option(names = "--list", description = "Lists the sessions that run, and those that have left something behind.")
    private boolean list;

    @Option(
            names = "--stop",
            arity = "0..1",
            fallbackValue = ONLY,
            paramLabel = "SESSION",
            description = "Ends a running session as Ctrl-C does, and waits for that. Without an id, the only one.")
    private @Nullable String stop;

    @Option(
            names = "--undo",
            arity = "0..1",
            fallbackValue = ONLY,
            paramLabel = "SESSION",
            description =
                    "Removes what a session has left behind that was killed. Without an id, of all such sessions.")
    private @Nullable String undo;

    /** Whether one of them is given. */
    boolean isGiven() {
        return list || stop != null || undo != null;
    }

    /**
     * Does what is given.
     *
     * @return the command's exit code
     */
    int run(PrintWriter out, boolean json) throws IOException, InterruptedException {
        Sessions sessions = Sessions.ofThisUser(Clock.systemUTC());
        if (stop != null) {
            return stop(sessions, stop, out);
        }
        return undo != null ? undo(sessions, undo, out) : list(sessions, out, json);
    }

    private static int list(Sessions sessions, PrintWriter out, boolean json) throws IOException {
        List<SessionSummary> all = sessions.list();
        if (json) {
            ObjectMapper mapper = new ObjectMapper();
            ArrayNode document = mapper.createArrayNode();
            for (SessionSummary each : all) {
                ObjectNode node = document.addObject()
                        .put("session", each.id())
                        .put("target", each.target())
                        .put("copy", each.copy())
                        .put("state", each.state().name())
                        .put("problem", each.problem());
                each.since().ifPresent(since -> node.put("since", since.toString()));
                each.left().forEach(node.putArray("left")::add);
                sessions.rules(each.id()).ifPresent(rules -> node.set("rules", rules.path("rules")));
            }
            out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(document));
        } else if (all.isEmpty()) {
            out.println("no session runs, and none has left anything behind");
        }
        for (SessionSummary each : json ? List.<SessionSummary>of() : all) {
            out.println(each.id() + "  " + each.state() + "  " + each.target()
                    + (each.copy().isEmpty() ? "" : ", copy " + each.copy())
                    + each.since().map(since -> ", since " + since).orElse("")
                    + (each.problem().isEmpty() ? "" : "; " + each.problem()));
            sessions.rules(each.id())
                    .ifPresent(rules -> rules.path("rules")
                            .forEach(rule ->
                                    out.println("    rule " + rule.path("name").asText() + ": fired "
                                            + rule.path("fired").asLong() + ", suppressed "
                                            + rule.path("suppressed").asLong()
                                            + said(rule.path("problem").asText()))));
            if (each.state() == State.ENDED) {
                each.left().forEach(left -> out.println("    left: " + left));
                out.println("    remove it: understudy debug --undo " + each.id());
            }
        }
        out.flush();
        return Exit.FINE;
    }

    private static String said(String problem) {
        return problem.isEmpty() ? "" : "; it can't be looked at: " + problem;
    }

    private static int stop(Sessions sessions, String id, PrintWriter out) throws IOException, InterruptedException {
        String chosen = id.equals(ONLY) ? only(sessions, State.RUNNING) : id;
        ProcessHandle process = sessions.process(chosen)
                .orElseThrow(() -> new IOException(chosen + ": no such session runs (see understudy debug --list)"));
        process.destroy();
        long end = System.nanoTime() + STOP.toNanos();
        while (process.isAlive()) {
            if (System.nanoTime() > end) {
                throw new IOException(chosen + ": still ending, process " + process.pid());
            }
            Thread.sleep(POLL_MILLIS);
        }
        out.println(chosen + ": ended");
        out.flush();
        return Exit.FINE;
    }

    private static int undo(Sessions sessions, String id, PrintWriter out) throws IOException, InterruptedException {
        List<String> chosen = id.equals(ONLY)
                ? sessions.list().stream()
                        .filter(each -> each.state() == State.ENDED)
                        .map(SessionSummary::id)
                        .toList()
                : List.of(id);
        if (chosen.isEmpty()) {
            out.println("no session has left anything behind");
        }
        int code = Exit.FINE;
        for (String each : chosen) {
            UndoResult result = sessions.undo(each);
            result.removed().forEach(removed -> out.println(each + ": removed " + removed));
            print(each, result, out);
            code = result.isComplete() ? code : Exit.ATTENTION;
        }
        out.flush();
        return code;
    }

    /** What couldn't be removed, with the way out. */
    static void print(String id, UndoResult result, PrintWriter out) {
        result.left()
                .forEach(left -> out.println(
                        id + ": left " + left.what() + ", " + left.reason() + "; remove it: " + left.byHand()));
    }

    private static String only(Sessions sessions, State state) throws IOException {
        List<String> ids = sessions.list().stream()
                .filter(each -> each.state() == state)
                .map(SessionSummary::id)
                .toList();
        if (ids.size() != 1) {
            throw new IOException(
                    ids.isEmpty()
                            ? "no session runs"
                            : "several sessions run (expected: one of them): "
                                    + ids.stream().collect(Collectors.joining(", ")));
        }
        return ids.get(0);
    }
}
