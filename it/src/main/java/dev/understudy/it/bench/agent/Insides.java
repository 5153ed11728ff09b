package dev.understudy.it.bench.agent;

import dev.understudy.it.bench.report.Table;
import dev.understudy.it.micro.Telling;
import dev.understudy.it.overhead.Armed;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What it costs to tell of one thing inside a method.
 *
 * @param agent the product's jar
 * @param quick fewer rounds
 * @param seed of the order within the rounds
 */
record Insides(Jvms jvms, Path agent, boolean quick, long seed) {
    private static final String TOLD = "dev.understudy.it.overhead.work";
    private static final Map<String, String> INSIDE = Map.of(
            "plain", "nothing",
            "block", "a synchronized block",
            "locked", "a ReentrantLock",
            "whole", "synchronized itself",
            "deepPlain", "nothing, second level",
            "deepJump", "a jump, second level",
            "deepNumber", "a long that is stored, second level",
            "deepText", "an argument that is a text, second level");

    String table() throws Exception {
        Table table = new Table()
                .line("Calls of methods that do next to nothing but one thing that the "
                        + "agent may tell of, by JMH (`micro.Telling`), fifty"
                        + " in each exchange; CPU time of the thread. The methods with "
                        + "nothing inside show what the call, and the"
                        + " exchange's fiftieth, costs anyway.")
                .line("")
                .line("| inside | no agent | gate closed | not observed | observed | "
                        + "observed, beyond a call with nothing inside |")
                .line("| --- | --- | --- | --- | --- | --- |");
        Map<String, List<String>> kinds = new LinkedHashMap<>();
        kinds.put("plain", List.of("block", "locked", "whole"));
        kinds.put("deepPlain", List.of("deepJump", "deepNumber", "deepText"));
        for (Map.Entry<String, List<String>> kind : kinds.entrySet()) {
            double[] plain = told(kind.getKey());
            double base = plain[plain.length - 1] - plain[0];
            table.line(row(kind.getKey(), plain, "–"));
            for (String one : kind.getValue()) {
                double[] told = told(one);
                double adds = told[told.length - 1] - told[0] - base;
                table.line(row(one, told, String.format(Locale.ROOT, "%.0f ns", adds)));
            }
        }
        return table.toString();
    }

    /** CPU nanoseconds of a call, by how it is looked at. */
    private double[] told(String benchmark) throws Exception {
        List<String> options = jvms.weavingOnly(agent, List.of(TOLD), TOLD + ".Deep");
        List<Candidate> all = List.of(
                Candidate.other("no agent", List.of()),
                new Candidate("gate closed", options, Armed.CLOSED),
                new Candidate("not observed", options, Armed.COUNTED),
                new Candidate("observed", options, Armed.OBSERVED));
        PerCall calls = new PerCall(Telling.class.getName() + "." + benchmark + "$", all, seed);
        calls.measure(quick ? 2 : 5, 1, quick ? 300 : 1000);
        return all.stream().mapToDouble(one -> calls.nanos(one).value()).toArray();
    }

    private static String row(String benchmark, double[] nanos, String adds) {
        return "| " + INSIDE.get(benchmark)
                + Arrays.stream(nanos)
                        .mapToObj(one -> String.format(Locale.ROOT, " | %.1f ns", one))
                        .collect(Collectors.joining())
                + " | " + adds + " |";
    }
}
