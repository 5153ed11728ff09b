package dev.understudy.example.demo.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.example.demo.load.Tally;
import java.util.ArrayList;
import java.util.List;

import static dev.understudy.example.demo.load.Tally.Effect.ATTACHMENTS;
import static dev.understudy.example.demo.load.Tally.Effect.ATTACHMENT_BYTES;
import static dev.understudy.example.demo.load.Tally.Effect.CACHE_READS;
import static dev.understudy.example.demo.load.Tally.Effect.ORDERS;
import static dev.understudy.example.demo.load.Tally.Effect.ORDER_CENTS;
import static dev.understudy.example.demo.load.Tally.Effect.ORDER_LINES;
import static dev.understudy.example.demo.load.Tally.Effect.PIECES;
import static dev.understudy.example.demo.load.Tally.Effect.PRICES;
import static dev.understudy.example.demo.load.Tally.Effect.RECENT_READS;
import static dev.understudy.example.demo.load.Tally.Effect.STOCK_UPDATES;
import static dev.understudy.example.demo.load.Tally.Effect.VIEWS;

/** The invariants, judged by the findings. */
public final class Checks {
    /** Share of exchanges that must come out alike for the debug JVM to count as having played along. */
    private static final double IN_STEP = 0.99;

    private final Findings found;
    private final List<Check> checks = new ArrayList<>();

    private Checks(Findings found) {
        this.found = found;
    }

    public static List<Check> judge(Findings found) {
        Checks checks = new Checks(found);
        checks.productionFirst();
        checks.everybodyAnswered();
        checks.productionIntact();
        checks.sameCues();
        checks.noSideEffects();
        checks.bounded();
        checks.honest();
        checks.debugOnly();
        return List.copyOf(checks.checks);
    }

    private void productionFirst() {
        Tally clients = found.clients();
        add(
                "clients were answered rightly",
                clients.failed() == 0,
                clients.failed() == 0
                        ? clients.answered() + " answers, each checked against what was asked and done before"
                        : clients.failed() + " wrong: " + clients.failures());
        List<String> ended = found.ended();
        add("nothing died", ended.isEmpty(), ended.isEmpty() ? "5 processes and 2 servers alive" : "ended: " + ended);
    }

    private void everybodyAnswered() {
        List<String> unanswered = found.unanswered();
        add(
                "sidecar and aggregator told what they know",
                unanswered.isEmpty(),
                unanswered.isEmpty() ? "all control requests were answered" : unanswered.toString());
    }

    private void productionIntact() {
        JsonNode bytes = found.listener().path("bytes");
        long sent = bytes.path("request").asLong();
        long received = bytes.path("reply").asLong();
        boolean held =
                sent == found.clients().sent() && received == found.clients().received();
        add(
                "bytes relayed are the clients' own",
                held,
                sent + " out, " + received + " back"
                        + (held
                                ? ""
                                : " (clients counted " + found.clients().sent() + " and "
                                        + found.clients().received() + ")"));
    }

    private void sameCues() {
        long answered = found.clients().answered();
        boolean all = found.exchanges("production") == answered && found.exchanges("debug") == answered;
        add(
                "the debug JVM lived through all of it",
                all,
                found.exchanges("debug") + " of " + answered + " exchanges"
                        + (all ? "" : " (production: " + found.exchanges("production") + ")"));
        JsonNode losses = found.listener().path("losses");
        boolean none = true;
        for (JsonNode loss : losses) {
            none &= loss.path("events").asLong() == 0 && loss.path("bytes").asLong() == 0;
        }
        add(
                "nothing was lost on the way",
                none,
                found.listener().path("fidelity").asText() + (none ? "" : " " + losses));
        long alike = found.verdicts("SAME") + found.verdicts("EQUIVALENT");
        add(
                "its answers are production's",
                alike >= IN_STEP * answered,
                alike + " of " + answered + " same or equivalent (at least 99 % needed)");
    }

    private void noSideEffects() {
        Tally clients = found.clients();
        Upstreams real = found.upstreams();
        writes("rows in the real database are the clients' writes", new long[][] {
            {real.rows().get("orders"), clients.effect(ORDERS)},
            {real.rows().get("order_lines"), clients.effect(ORDER_LINES)},
            {real.rows().get("attachments"), clients.effect(ATTACHMENTS)},
            {real.sums().get("cents"), clients.effect(ORDER_CENTS)},
            {real.sums().get("pieces"), clients.effect(PIECES)},
            {real.sums().get("gone from stock"), clients.effect(PIECES)},
            {real.sums().get("attached bytes"), clients.effect(ATTACHMENT_BYTES)}
        });
        writes("PostgreSQL ran production's statements only", new long[][] {
            {real.statements().get("INSERT INTO orders"), clients.effect(ORDERS)},
            {real.statements().get("INSERT INTO order_lines"), clients.effect(ORDER_LINES)},
            {real.statements().get("INSERT INTO attachments"), clients.effect(ATTACHMENTS)},
            {real.statements().get("UPDATE products"), clients.effect(STOCK_UPDATES)}
        });
        writes("Redis ran production's commands only", new long[][] {
            {real.commands().getOrDefault("get", 0L), clients.effect(CACHE_READS)},
            {real.commands().getOrDefault("lpush", 0L), clients.effect(VIEWS)},
            {real.commands().getOrDefault("lrange", 0L), clients.effect(RECENT_READS)}
        });
        Check prices =
                Check.equal("pricing answered production only", clients.effect(PRICES), real.prices(), "requests");
        checks.add(prices);
        if (found.socketsSeen()) {
            add(
                    "the debug JVM is connected to no upstream",
                    found.strangers().isEmpty(),
                    found.strangers().isEmpty()
                            ? "only to the aggregator's debug ports and the sidecar"
                            : "connected to ports " + found.strangers());
        }
    }

    private void writes(String name, long[][] actualAndExpected) {
        StringBuilder figures = new StringBuilder();
        boolean held = true;
        for (long[] pair : actualAndExpected) {
            held &= pair[0] == pair[1];
            figures.append(figures.isEmpty() ? "" : ", ").append(pair[0]);
            if (pair[0] != pair[1]) {
                figures.append(" (expected: ").append(pair[1]).append(')');
            }
        }
        add(name, held, figures.toString());
    }

    private void bounded() {
        JsonNode window = found.window();
        long peak = window.path("peakBytes").asLong();
        long capacity = window.path("capacityBytes").asLong();
        add(
                "the window stayed within its memory",
                peak <= capacity && capacity > 0,
                peak + " of " + capacity + " bytes at most");
    }

    private void honest() {
        long verdicts = found.verdicts("SAME")
                + found.verdicts("EQUIVALENT")
                + found.verdicts("DIFFERENT")
                + found.verdicts("NOT_COMPARED");
        checks.add(Check.equal("every exchange has a verdict", found.clients().answered(), verdicts, "verdicts"));
    }

    private void debugOnly() {
        List<Long> pids = new ArrayList<>();
        found.agents().forEach(agent -> pids.add(agent.path("pid").asLong()));
        add(
                "the agent is in the debug JVM only",
                pids.equals(List.of(found.debugPid())),
                "it reports from process " + pids + ", the debug JVM is " + found.debugPid());
        for (JsonNode agent : found.agents()) {
            double spent = agent.path("spent").asDouble();
            double most = agent.path("budgetMax").asDouble();
            add(
                    "the agent kept to its budget",
                    spent <= most,
                    "%.1f %% of a core spent, %.1f %% allowed".formatted(100 * spent, 100 * most));
        }
    }

    private void add(String name, boolean held, String figures) {
        checks.add(new Check(name, held, figures));
    }
}
