package dev.understudy.sidecar.report;

import dev.understudy.divergence.latency.PercentileTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A session, judged: what it comes to in a sentence, first causes, how fast both sides were. Immutable. */
public record Report(Session session, List<Part> parts) {
    private static final int SAID = 2;
    private static final String[] KINDS = {"SAME", "EQUIVALENT", "DIFFERENT", "NOT_COMPARED"};

    public Report {
        parts = List.copyOf(parts);
    }

    /**
     * One debug JVM behind one listener.
     *
     * @param firstCauses divergences, with those that may follow from them below
     * @param cost of the instrumentation, which is taken out of debug's times
     * @param speed of all routes together
     * @param speeds of each route
     */
    record Part(
            Session.Copy copy,
            Map<String, Long> verdicts,
            List<FirstCauses.Node> firstCauses,
            Cost cost,
            Speed speed,
            Map<String, Speed> speeds) {
        long verdicts(String kind) {
            return verdicts.getOrDefault(kind, 0L);
        }

        long answeredAlike() {
            return verdicts("SAME") + verdicts("EQUIVALENT");
        }

        long compared() {
            return answeredAlike() + verdicts("DIFFERENT");
        }

        String name() {
            return copy.listener() + " → " + copy.debug();
        }
    }

    /**
     * Judges a session.
     *
     * @param debug only that debug JVM; null for all
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Report of(Session session, @Nullable String debug) {
        List<Part> parts = session.copies().stream()
                .filter(copy -> debug == null || debug.equals(copy.debug()))
                .map(Report::part)
                .toList();
        if (parts.isEmpty()) {
            throw new IllegalArgumentException(
                    debug == null ? "no listener has a debug JVM" : "no debug JVM is called " + debug);
        }
        List<Session.Calls> calls = session.outgoing().stream()
                .filter(one -> debug == null || debug.equals(one.debug()))
                .toList();
        List<Session.Rule> rules = session.rules().stream()
                .filter(one -> debug == null || debug.equals(one.debug()))
                .toList();
        List<Session.Learned> learned = session.learned().stream()
                .filter(one -> debug == null || debug.equals(one.debug()))
                .toList();
        Session chosen = new Session(
                session.since(), session.until(), session.copies(), rules, learned, calls, session.epochs());
        return new Report(chosen, parts);
    }

    private static Part part(Session.Copy copy) {
        Cost cost = Cost.of(copy.routes());
        Map<String, Long> verdicts = new LinkedHashMap<>();
        Map<String, Speed> speeds = new LinkedHashMap<>();
        for (String kind : KINDS) {
            verdicts.put(
                    kind,
                    copy.routes().stream()
                            .mapToLong(route -> route.verdicts(kind))
                            .sum());
        }
        for (Session.Route route : copy.routes()) {
            speeds.put(route.route(), Speed.of(List.of(route), cost));
        }
        return new Part(copy, verdicts, FirstCauses.of(copy.causes()), cost, Speed.of(copy.routes(), cost), speeds);
    }

    /**
     * One line for each debug JVM behind a listener, and one of epochs if there are several:
     * {@code same answers on 9 998 of 10 000, 2 differ: …, p99 −12 % (p<0.01)}.
     */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        parts.forEach(part -> sentences.add(part.name() + ": " + sentence(part)));
        long anew = session.epochs().stream().filter(Session.Epoch::began).count();
        if (anew > 0) {
            sentences.add(epochs(session.epochs(), anew));
        }
        if (session.epochs().stream().anyMatch(Session.Epoch::patched)) {
            sentences.add(patch(session.epochs()));
        }
        return sentences;
    }

    /** What was compared with the newest patch, or since it was taken back, beside all that came before. */
    private static String patch(List<Session.Epoch> epochs) {
        Session.Epoch last = epochs.get(epochs.size() - 1);
        int first = epochs.size() - 1;
        while (first > 0 && epochs.get(first - 1).patch().equals(last.patch())) {
            first--;
        }
        return (last.patch().isEmpty() ? "with its own classes again" : "with patch " + last.patch()) + ", "
                + counted(epochs.subList(first, epochs.size())) + "; before, " + counted(epochs.subList(0, first));
    }

    private static String counted(List<Session.Epoch> epochs) {
        long compared = epochs.stream().mapToLong(Session.Epoch::compared).sum();
        long different = epochs.stream().mapToLong(Session.Epoch::different).sum();
        return grouped(different) + " of " + grouped(compared) + (different == 1 ? " differs" : " differ");
    }

    private static String epochs(List<Session.Epoch> epochs, long times) {
        Session.Epoch last = epochs.stream()
                .filter(Session.Epoch::began)
                .reduce((first, second) -> second)
                .orElseThrow();
        return "the debug JVM began anew " + (times == 1 ? "once" : grouped(times) + " times") + ", last because of "
                + last.cause().toLowerCase(Locale.ROOT) + ": " + last.state()
                + (last.problem().isEmpty() ? "" : ", " + last.problem());
    }

    static String sentence(Part part) {
        StringBuilder said = new StringBuilder("same answers on ")
                .append(grouped(part.answeredAlike()))
                .append(" of ")
                .append(grouped(part.compared()));
        long different = part.verdicts("DIFFERENT");
        if (different > 0) {
            said.append(", ").append(grouped(different)).append(different == 1 ? " differs: " : " differ: ");
            said.append(part.firstCauses().stream()
                    .limit(SAID)
                    .map(node -> name(node.cause()))
                    .collect(Collectors.joining("; ")));
            said.append(part.firstCauses().size() > SAID ? "; …" : "");
        }
        if (part.verdicts("NOT_COMPARED") > 0) {
            said.append(", ").append(grouped(part.verdicts("NOT_COMPARED"))).append(" not compared");
        }
        return said.append(", ").append(part.speed().sentence()).toString();
    }

    /** {@code GET /orders/{n} (VALUE body.total)}. */
    static String name(Session.Cause cause) {
        return cause.places().isEmpty()
                ? cause.route()
                : cause.route() + " (" + cause.places().get(0)
                        + (cause.places().size() > 1 ? " and " + (cause.places().size() - 1) + " more)" : ")");
    }

    /** The report as a document; what is in it is in {@link Session}, with what is judged of it beside. */
    public Map<String, Object> document(List<String> failures) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("since", session.since());
        document.put("until", session.until());
        document.put("failures", failures);
        List<Map<String, Object>> told = new ArrayList<>();
        for (Part part : parts) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("listener", part.copy.listener());
            one.put("debug", part.copy.debug());
            one.put("sentence", sentence(part));
            one.put("fidelity", part.copy.fidelity());
            one.put("faithful", part.copy.faithful());
            one.put("verdicts", part.verdicts);
            one.put("notCompared", part.copy.notCompared());
            one.put("instrumentation", part.cost.statement());
            one.put("speed", speed(part.speed));
            one.put(
                    "routes",
                    part.copy.routes().stream()
                            .map(route -> Map.of(
                                    "route",
                                    route.route(),
                                    "verdicts",
                                    route.verdicts(),
                                    "takenOutMicros",
                                    part.cost.of(route.route()),
                                    "speed",
                                    speed(part.speeds.getOrDefault(route.route(), part.speed))))
                            .toList());
            one.put(
                    "firstCauses",
                    part.firstCauses.stream().map(node -> node(part, node)).toList());
            one.put("ungroupedDivergences", part.copy.ungrouped());
            one.put("places", part.copy.places());
            one.put("unlistedPlaces", part.copy.unplaced());
            told.add(one);
        }
        document.put("copies", told);
        document.put("rules", session.rules());
        document.put("outgoing", session.outgoing());
        document.put("epochs", session.epochs());
        return document;
    }

    private static Map<String, Object> node(Part part, FirstCauses.Node node) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("cause", node.cause());
        told.put("mayFollow", node.why());
        told.put("reproduce", Reproduction.of(part.copy, node.cause().first()));
        told.put(
                "followers",
                node.followers().stream().map(one -> node(part, one)).toList());
        return told;
    }

    private static Map<String, Object> speed(Speed speed) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("exchanges", speed.exchanges());
        Speed.Tests tests = speed.tests();
        if (tests != null) {
            told.put("medianMillis", percentile(tests.median()));
            PercentileTest p99 = tests.p99();
            if (p99 != null) {
                told.put("p99Millis", percentile(p99));
            }
            told.put("mannWhitney", tests.all());
            told.put("effect", tests.all().size());
        }
        return told;
    }

    private static Map<String, Object> percentile(PercentileTest test) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("production", test.production());
        told.put("debug", test.debug());
        told.put("p", test.p());
        return told;
    }

    /** {@code 9 998}. */
    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
    }
}
