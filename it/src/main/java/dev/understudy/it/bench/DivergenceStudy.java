package dev.understudy.it.bench;

import dev.understudy.it.bench.report.Table;
import dev.understudy.it.divergence.LargeBody;
import dev.understudy.it.divergence.Recall;
import dev.understudy.it.divergence.Session;
import dev.understudy.it.micro.Comparing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How often comparisons are right, and how fast they are. */
@Command(
        name = "divergence",
        mixinStandardHelpOptions = true,
        description = "Recall, precision and speed of comparisons, beside asking production twice.")
final class DivergenceStudy implements Callable<Integer> {
    private static final List<String> PARTS = List.of("recall", "precision", "both", "speed", "large");
    private static final double RECALL = 0.995;
    private static final double FALSE_SHARE = 1e-4;
    private static final double SPEED = 200e6;

    @Mixin
    private Stage stage = new Stage();

    @Parameters(paramLabel = "PART", description = "recall, precision, both, speed, large (default: all).")
    private List<String> parts = List.of();

    @Option(names = "--per-sample", defaultValue = "400", description = "Mutations tried of each reply (default: 400).")
    private int perSample;

    @Option(names = "--requests", defaultValue = "100000", description = "Of each session (default: 100000).")
    private int requests;

    @Option(names = "--learning", defaultValue = "1000", description = "Of these nothing is counted (default: 1000).")
    private int learning;

    @Option(names = "--seed", defaultValue = "1", description = "Of everything that is drawn (default: 1).")
    private long seed;

    private boolean missed;

    @Override
    public Integer call() throws Exception {
        for (String part : parts.isEmpty() ? PARTS : parts) {
            Stage.progress("divergence: " + part);
            switch (part) {
                case "recall" -> stage.put("Recall", recall());
                case "precision" -> stage.put("Precision", precision());
                case "both" -> stage.put("Beside asking production twice", both());
                case "speed" -> stage.put("Speed", speed());
                case "large" -> stage.put("Large bodies", large());
                default -> {
                    System.err.println(part + ": no such part (expected: one of " + PARTS + ")");
                    return 2;
                }
            }
        }
        return missed ? 1 : 0;
    }

    private String recall() throws Exception {
        Recall known = Recall.of(perSample, seed, true);
        Recall fresh = Recall.of(perSample, seed, false);
        Table table = new Table()
                .line("Replies of the example's orders service, as it gave them, and "
                        + "replies in the shape of public APIs; each is"
                        + " changed in one place, and has to be reported.")
                .line("")
                .line("| | mutations | kinds | reported | target | |")
                .line("| --- | --- | --- | --- | --- | --- |")
                .line(row("both sides have shown the values alike before", known))
                .line(row("each reply is the first that is seen", fresh))
                .line("")
                .line("| change | mutations | reported |")
                .line("| --- | --- | --- |");
        known.rows().forEach(table::line);
        table.line("")
                .line("Missed, where the values had been seen: "
                        + (known.misses().isEmpty() ? "none." : ""));
        known.misses().forEach(miss -> table.line("- " + miss));
        table.line("")
                .line("Missed on first sight: an opaque value in the place of another is "
                        + "taken for what each JVM made up for itself, until" + " either has been seen on both sides.");
        new TreeMap<>(counted(fresh.misses())).forEach((miss, count) -> table.line("- " + count + " × " + miss));
        return table.toString();
    }

    private static java.util.Map<String, Integer> counted(List<String> lines) {
        java.util.Map<String, Integer> counts = new java.util.HashMap<>();
        lines.forEach(line -> counts.merge(line.substring(0, line.indexOf(':')), 1, Integer::sum));
        return counts;
    }

    private String row(String what, Recall recall) {
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %d | %.3f %% | ≥ %.1f %% | %s |",
                what,
                recall.total(),
                recall.kinds(),
                100 * recall.share(),
                100 * RECALL,
                verdict(recall.share() >= RECALL));
    }

    private String precision() {
        Session session = new Session(seed);
        session.run(requests, learning, 0);
        Session.Outcome outcome = session.understudy();
        Table table = new Table()
                .line(("Two instances of one service, %,d requests, of which nothing is "
                                + "counted for the first %,d. Noise of %d kinds: %s.")
                        .formatted(
                                requests,
                                learning,
                                Session.kindsOfNoise().size(),
                                String.join(", ", Session.kindsOfNoise())))
                .line("")
                .line("| counted | false reports | per 10,000 | target | |")
                .line("| --- | --- | --- | --- | --- |")
                .line(String.format(
                        Locale.ROOT,
                        "| %,d | %d | %.2f | < 1 | %s |",
                        outcome.unchanged(),
                        outcome.falseReports(),
                        1e4 * outcome.falseShare(),
                        verdict(outcome.falseShare() < FALSE_SHARE)))
                .line("")
                .line("| learned at | kind | seen before | overlooked | something else |")
                .line("| --- | --- | --- | --- | --- |");
        session.learned()
                .forEach(place -> table.line("| `%s` `%s` | %s | %,d | %,d | %,d |"
                        .formatted(
                                place.route(),
                                place.path(),
                                place.kind().word(),
                                place.seen(),
                                place.fired(),
                                place.broken())));
        wrong(table, session);
        return table.toString();
    }

    private String both() {
        Table table = new Table()
                .line("The same service, of whose debug answers a share is changed so that "
                        + "they mean something else (values of noise only"
                        + " into another kind of value). Twice: asking production "
                        + "twice has the primary, a secondary and the candidate,"
                        + " and flags a field by its published thresholds (relative "
                        + "difference > 20 %, absolute > 0.03 %) at the end of the"
                        + " session; a request counts as reported if a field that differs is flagged.")
                .line("")
                .line("| changed | method | instances | changed requests | reported | "
                        + "recall | others | false reports |")
                .line("| --- | --- | --- | --- | --- | --- | --- | --- |");
        List<Session> sessions = new ArrayList<>();
        for (double share : new double[] {0.05, 0.001}) {
            Session session = new Session(seed + 1);
            session.run(requests, learning, share);
            table.line(row(share, "understudy", 2, session.understudy()));
            table.line(row(share, "production twice", 3, session.threeWay()));
            sessions.add(session);
        }
        table.line("").line("| change (at 5 %) | mutations | reported |").line("| --- | --- | --- |");
        sessions.get(0).rows().forEach(table::line);
        wrong(table, sessions.get(0));
        return table.toString();
    }

    private static String row(double share, String method, int instances, Session.Outcome outcome) {
        return String.format(
                Locale.ROOT,
                "| %.1f %% | %s | %d | %,d | %,d | %.2f %% | %,d | %,d |",
                100 * share,
                method,
                instances,
                outcome.changed(),
                outcome.found(),
                100 * outcome.recall(),
                outcome.unchanged(),
                outcome.falseReports());
    }

    private static void wrong(Table table, Session session) {
        table.line("").line("Wrong verdicts: " + (session.wrong().isEmpty() ? "none." : ""));
        session.wrong().forEach(one -> table.line("- " + one));
    }

    private String speed() throws Exception {
        Table table = new Table()
                .line("JMH, one thread, per second of its CPU time; MB/s are of "
                        + "production's bodies alone, so twice as much is read.")
                .line("")
                .line("| body | differing | replies per CPU second | MB per CPU second | target | |")
                .line("| --- | --- | --- | --- | --- | --- |");
        for (RunResult run : new Runner(
                        new OptionsBuilder().include(Comparing.class.getName()).build())
                .run()) {
            String bytes = run.getParams().getParam("bytes");
            double operations = secondary(run, "operations");
            double perSecond = operations * 1e9 / secondary(run, "cpuNanos");
            double rate = perSecond * Integer.parseInt(bytes);
            table.line(String.format(
                    Locale.ROOT,
                    "| %s | %s | %,.0f | %,.0f | ≥ 200 | %s |",
                    bytes,
                    run.getParams().getParam("differing"),
                    perSecond,
                    rate / 1e6,
                    verdict(rate >= SPEED)));
        }
        return table.toString();
    }

    private static double secondary(RunResult run, String name) {
        return Objects.requireNonNull(run.getSecondaryResults().get(name), name).getScore();
    }

    private String large() {
        long bytes = 1L << 30;
        Table table = new Table()
                .line("Bodies of 1 GiB, 1 MiB of each kept: what they say is hashed as it arrives, and times are kept.")
                .line("")
                .line("| body | differing | verdict | held, both sides | MB per CPU second, both sides |")
                .line("| --- | --- | --- | --- | --- |");
        for (LargeBody.Content content : LargeBody.Content.values()) {
            for (String differing : List.of("nothing", "a time", "a time, and the last value")) {
                LargeBody.Outcome outcome =
                        LargeBody.compare(content, bytes, !differing.equals("nothing"), differing.endsWith("value"));
                table.line(String.format(
                        Locale.ROOT,
                        "| %s | %s | %s | %,d bytes | %,.0f |",
                        content,
                        differing,
                        outcome.verdict(),
                        outcome.heldBytes(),
                        outcome.bytesPerSecond() / 1e6));
            }
        }
        return table.toString();
    }

    private String verdict(boolean met) {
        missed |= !met;
        return met ? "met" : "**missed**";
    }
}
