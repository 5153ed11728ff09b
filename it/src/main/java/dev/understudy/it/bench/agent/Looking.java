package dev.understudy.it.bench.agent;

import dev.understudy.it.bench.report.Table;
import dev.understudy.it.overhead.Armed;
import dev.understudy.it.overhead.work.Work;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tables of what looking costs. */
public final class Looking {
    private static final String CALLEE = "dev.understudy.it.overhead.work.Callee";
    private static final String METHOD = "step";
    private static final String OFF = "@OnMethod(clazz=\"%s\", method=\"%s\", enableAt=@Level(\">=1\"))";
    private static final String UNCACHED = "Understudy";
    private static final String CACHED = "Understudy, classes cached";
    private static final int PROBES = 10_000;
    /** Of what differs least, beside each of all. */
    private static final int MORE_STARTS = 3;

    private final Jvms jvms;
    private final Peers peers;
    private final Path agent;
    private final @Nullable Path beside;
    private final boolean quick;
    private final long seed;
    private boolean missed;

    private Looking(Jvms jvms, Peers peers, Path agent, @Nullable Path beside, boolean quick, long seed) {
        this.jvms = jvms;
        this.peers = peers;
        this.agent = agent;
        this.beside = beside;
        this.quick = quick;
        this.seed = seed;
    }

    /**
     * Fetches what is needed.
     *
     * @param root the checkout
     * @param folder for files of the study's programs
     * @param agent the product's jar
     * @param beside another build of it, to be measured in the same rounds
     * @param quick fewer rounds
     * @param seed of the order within the rounds
     */
    public static Looking at(Path root, Path folder, Path agent, @Nullable Path beside, boolean quick, long seed)
            throws Exception {
        Peers peers = new Peers(root, folder);
        Optional<Path> database = peers.file(Peers.H2);
        if (database.isEmpty()) {
            throw new IllegalStateException(Peers.H2 + " can't be fetched, and half of the study needs it");
        }
        return new Looking(new Jvms(folder, database.get()), peers, agent, beside, quick, seed);
    }

    /** Whether a table says so. */
    public boolean missed() {
        return missed;
    }

    /** What an operation of whole workloads costs. */
    public String steadyState() throws Exception {
        List<Candidate> all = new ArrayList<>();
        Candidate none = Candidate.other("no agent", List.of());
        Candidate again = Candidate.other("no agent, another JVM", List.of());
        Candidate closed = ours("woven, gates closed", agent, Armed.CLOSED);
        all.addAll(List.of(none, again, closed));
        all.add(ours("gates open, methods off", agent, Armed.OFF));
        all.add(ours("calls counted, nothing sampled", agent, Armed.COUNTED));
        all.add(ours("one call in 100 timed", agent, Armed.HUNDREDTH));
        all.add(ours("every operation observed whole", agent, Armed.OBSERVED));
        if (beside != null) {
            all.add(ours("other build, gates closed", beside, Armed.CLOSED));
            all.add(ours("other build, calls counted", beside, Armed.COUNTED));
        }
        all.addAll(peers.btrace(
                "BTrace on the same methods, handler off", handler(OFF, patterns(), "/[^<].*/", "", "calls++;")));
        Table table = new Table()
                .line("Jackson reads and writes an order of 20 lines, as objects and as a "
                        + "tree; H2 runs a transaction of five statements"
                        + " in memory. All their classes are woven, and the workload's "
                        + "own. JVMs live at the same time and take turns of a"
                        + " fraction of a second; a ratio is of the working thread's "
                        + "CPU time per operation within a round. Each figure: the"
                        + " middle of several starts of all JVMs, with the least and "
                        + "the most; of a JVM without an agent beside another, and with closed"
                        + " gates, of four times as many starts, since these differ by "
                        + "more than closed gates cost.")
                .line("")
                .line("| workload | looking | CPU per operation | of no agent | target | |")
                .line("| --- | --- | --- | --- | --- | --- |");
        for (String work : Work.NAMES) {
            SteadyState steady = new SteadyState(jvms, seed);
            for (int start = 0; start < (quick ? 2 : 5); start++) {
                steady.measure(all, work, quick ? 6_000 : 12_000, quick ? 10 : 20, 300);
                for (int more = 0; more < MORE_STARTS; more++) {
                    steady.measure(List.of(none, again, closed), work, 6_000, 10, 300);
                }
            }
            for (Candidate candidate : all) {
                Middle ratio = steady.ratio(candidate);
                double most = candidate.armed() == Armed.CLOSED ? 1.03 : candidate.armed() == Armed.OFF ? 1.10 : 0;
                table.line(String.format(
                        Locale.ROOT,
                        "| %s | %s | %.1f µs | %.3f (%.3f to %.3f) | %s |",
                        work,
                        candidate.name(),
                        steady.micros(candidate),
                        ratio.value(),
                        ratio.least(),
                        ratio.most(),
                        atMost(ratio.value(), most)));
            }
        }
        return table.toString() + missingPeers();
    }

    /** What a start costs. */
    public String startUp() throws Exception {
        List<Candidate> fixed = new ArrayList<>();
        fixed.add(Candidate.other("no agent", List.of()));
        fixed.add(Candidate.other(UNCACHED, Jvms.product(agent, Jvms.WOVEN, "")));
        fixed.add(Candidate.other("Understudy, weaving alone", jvms.weavingOnly(agent, Jvms.WOVEN)));
        if (beside != null) {
            fixed.add(Candidate.other("other build", Jvms.product(beside, Jvms.WOVEN, "")));
        }
        fixed.addAll(peers.openTelemetry("OpenTelemetry agent"));
        fixed.addAll(peers.btrace(
                "BTrace on the same methods, handler off", handler(OFF, patterns(), "/[^<].*/", "", "calls++;")));
        Table table = new Table()
                .line("From the start of the JVM to the end of the first operation: user "
                        + "and system time of the whole process, and the" + " time that it took; means.")
                .line("")
                .line("| workload | agent | CPU | of no agent | time | of no agent | target (CPU) | |")
                .line("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for (String work : Work.NAMES) {
            Path cache = jvms.folder().resolve("cache-" + work);
            List<Candidate> all = new ArrayList<>(fixed);
            all.add(Candidate.other(CACHED, Jvms.product(agent, Jvms.WOVEN, ",cache=" + cache)));
            StartUp.fill(jvms, all.get(all.size() - 1), work, cache);
            StartUp start = new StartUp(jvms, all, seed);
            start.measure(work, quick ? 7 : 20);
            Candidate none = all.get(0);
            for (Candidate candidate : all) {
                double ratio = start.cpuMillis(candidate) / start.cpuMillis(none);
                table.line(String.format(
                        Locale.ROOT,
                        "| %s | %s | %,.0f ms | %.2f | %,.0f ms | %.2f | %s |",
                        work,
                        candidate.name(),
                        start.cpuMillis(candidate),
                        ratio,
                        start.wallMillis(candidate),
                        start.wallMillis(candidate) / start.wallMillis(none),
                        atMost(
                                ratio,
                                candidate.name().equals(UNCACHED)
                                        ? 2.0
                                        : candidate.name().equals(CACHED) ? 1.2 : 0)));
            }
        }
        return table.toString() + missingPeers();
    }

    /** What a call costs. */
    public String perCall() throws Exception {
        Candidate none = Candidate.other("no agent", List.of());
        Candidate closed = call("Understudy, gate closed", Armed.CLOSED);
        Candidate unseen = call("Understudy, gate open, method off", Armed.OFF);
        Candidate counted = call("Understudy, counted", Armed.COUNTED);
        Candidate sampled = call("Understudy, 1 in 100 timed", Armed.HUNDREDTH);
        Candidate timed = call("Understudy, every call timed", Armed.TIMED);
        List<Candidate> btraceOff = peers.btrace("BTrace, handler off", handler(OFF, CALLEE, METHOD, "", "calls++;"));
        List<Candidate> bytemanOff = peers.byteman("Byteman, condition false", CALLEE, METHOD, "FALSE");
        List<Candidate> btraceCount = peers.btrace(
                "BTrace, counted", handler("@OnMethod(clazz=\"%s\", method=\"%s\")", CALLEE, METHOD, "", "calls++;"));
        List<Candidate> bytemanCount = peers.byteman("Byteman, counted", CALLEE, METHOD, "TRUE");
        String returned = "@OnMethod(clazz=\"%s\", method=\"%s\", location=@Location(Kind.RETURN))";
        List<Candidate> btraceSampled = peers.btrace(
                "BTrace, 1 in 100 timed",
                handler(
                        returned + " @Sampled(kind=Sampled.Sampler.Const, mean=100)",
                        CALLEE,
                        METHOD,
                        "@Duration long took",
                        "nanos += took;"));
        List<Candidate> btraceTimed = peers.btrace(
                "BTrace, every call timed", handler(returned, CALLEE, METHOD, "@Duration long took", "nanos += took;"));
        List<Candidate> span = peers.openTelemetry(
                "OpenTelemetry agent, span of the method",
                "-Dotel.instrumentation.methods.include=" + CALLEE + "[" + METHOD + "]");
        List<Candidate> record =
                peers.kieker("Kieker, record of the method", CALLEE.substring(0, CALLEE.lastIndexOf('.')));
        List<Candidate> all = new ArrayList<>(List.of(none, closed, unseen, counted, sampled, timed));
        for (List<Candidate> peer :
                List.of(btraceOff, bytemanOff, btraceCount, bytemanCount, btraceSampled, btraceTimed, span, record)) {
            all.addAll(peer);
        }
        PerCall calls = new PerCall(all, seed);
        calls.measure(quick ? 2 : 5, 1, quick ? 500 : 1000);
        Table table = new Table()
                .line("A call of a method of eight instructions, by JMH (`micro.Calling`), "
                        + "a JVM for each row and round; CPU time of the"
                        + " thread. Exports of peers are switched off, and Kieker's "
                        + "records are thrown away by its writer's thread.")
                .line("")
                .line("| looking | CPU per call | adds |")
                .line("| --- | --- | --- |");
        for (Candidate candidate : all) {
            table.line(String.format(
                    Locale.ROOT,
                    "| %s | %.2f ns (%.2f to %.2f) | %.2f ns |",
                    candidate.name(),
                    calls.nanos(candidate).value(),
                    calls.nanos(candidate).least(),
                    calls.nanos(candidate).most(),
                    calls.added(candidate)));
        }
        table.line("").line("| what is added | of | measured | target | |").line("| --- | --- | --- | --- | --- |");
        compare(table, calls, unseen, btraceOff, 0);
        compare(table, calls, unseen, bytemanOff, 0);
        compare(table, calls, counted, btraceCount, 1.0 / 3);
        compare(table, calls, counted, bytemanCount, 1.0 / 30);
        compare(table, calls, sampled, span, 1.0 / 50);
        compare(table, calls, sampled, btraceSampled, 1.0 / 2);
        compare(table, calls, timed, span, 1.0 / 4);
        compare(table, calls, timed, record, 1.0 / 4);
        compare(table, calls, timed, btraceTimed, 1);
        return table.toString() + missingPeers();
    }

    private void compare(Table table, PerCall calls, Candidate own, List<Candidate> others, double most) {
        for (Candidate other : others) {
            double ratio = calls.added(own) / calls.added(other);
            table.line(String.format(
                    Locale.ROOT,
                    "| %s | %s | 1/%.1f | %s |",
                    own.name(),
                    other.name(),
                    1 / ratio,
                    most == 0
                            ? "– | "
                            : String.format(Locale.ROOT, "≤ 1/%.0f | %s", 1 / most, verdict(ratio <= most))));
        }
    }

    /** What it costs to tell of one thing inside a method. */
    public String inside() throws Exception {
        return new Insides(jvms, agent, quick, seed).table();
    }

    /** What threads that count the same method do to each other. */
    public String threads() throws Exception {
        List<Candidate> all =
                List.of(Candidate.other("no agent", List.of()), call("Understudy, counted", Armed.COUNTED));
        int cores = Runtime.getRuntime().availableProcessors();
        Table table = new Table()
                .line("CPU time of a call while so many threads call the same method of "
                        + "objects of their own: what one thread alone"
                        + " needs is the whole of it as long as they don't disturb each other.")
                .line("")
                .line("| threads | looking | CPU per call | efficiency | target | |")
                .line("| --- | --- | --- | --- | --- | --- |");
        double[] alone = new double[all.size()];
        for (int threads : new int[] {1, cores, 8}) {
            PerCall calls = new PerCall(all, seed);
            calls.measure(quick ? 2 : 5, threads, quick ? 500 : 1000);
            for (int n = 0; n < all.size(); n++) {
                double nanos = calls.nanos(all.get(n)).value();
                alone[n] = threads == 1 ? nanos : alone[n];
                double efficiency = alone[n] / nanos;
                table.line(String.format(
                        Locale.ROOT,
                        "| %d | %s | %.2f ns | %.2f | %s |",
                        threads,
                        all.get(n).name(),
                        nanos,
                        efficiency,
                        n == 0 || threads == 1 ? "– | " : "≥ 0.90 | " + verdict(efficiency >= 0.9)));
            }
        }
        return table.toString();
    }

    /** What changing many periods costs. */
    public String rearming() throws Exception {
        Map<String, Double> figures = ManyMethods.rearm(jvms, agent, PROBES);
        double before = figures.getOrDefault("before", Double.NaN);
        Table table = new Table()
                .line(String.format(
                        Locale.ROOT,
                        "%,d methods in classes of 20, called round and round by one thread "
                                + "(%,.0f of them were seen), while another arms"
                                + " and disarms all of them. What peers do instead is "
                                + "retransforming the classes: here by an agent that gives"
                                + " the same bytes again.",
                        PROBES,
                        figures.getOrDefault("probes hit", 0.0)))
                .line("")
                .line("| what | measured | target | |")
                .line("| --- | --- | --- | --- |");
        double flip = figures.getOrDefault("flip", Double.NaN) / 1e6;
        double after = figures.getOrDefault("after", Double.NaN) / before;
        double armed = figures.getOrDefault("armed", Double.NaN) / before;
        table.line(String.format(Locale.ROOT, "| arming or disarming all, CPU | %.3f ms | %s |", flip, atMost(flip, 1)))
                .line(String.format(
                        Locale.ROOT,
                        "| the longest of 40 | %.3f ms | – | |",
                        figures.getOrDefault("longest flip", Double.NaN) / 1e6))
                .line(String.format(
                        Locale.ROOT, "| calls afterwards, disarmed | %.3f | %s |", after, atMost(after, 1.1)))
                .line(String.format(Locale.ROOT, "| calls afterwards, armed | %.3f | %s |", armed, atMost(armed, 1.1)))
                .line(String.format(
                        Locale.ROOT,
                        "| taking every second method off, or back, CPU | %.1f ms | – | |",
                        figures.getOrDefault("leaving out", Double.NaN) / 1e6))
                .line(String.format(
                        Locale.ROOT,
                        "| calls in the second after that, and in the fifth | %.3f, %.3f | – | |",
                        figures.getOrDefault("after leaving out", Double.NaN) / before,
                        figures.getOrDefault("later", Double.NaN) / before))
                .line(String.format(
                        Locale.ROOT,
                        "| retransforming their classes, CPU | %.0f ms (%.0f ms until it was done) | – | |",
                        figures.getOrDefault("retransformation", Double.NaN) / 1e6,
                        figures.getOrDefault("retransformation wall", Double.NaN) / 1e6))
                .line(String.format(
                        Locale.ROOT,
                        "| calls in the second after that | %.3f | – | |",
                        figures.getOrDefault("after retransformation", Double.NaN) / before));
        return table.toString();
    }

    private Candidate ours(String name, Path jar, Armed armed) throws Exception {
        return new Candidate(name, jvms.weavingOnly(jar, Jvms.WOVEN), armed);
    }

    private Candidate call(String name, Armed armed) throws Exception {
        return new Candidate(name, jvms.weavingOnly(agent, List.of(CALLEE)), armed);
    }

    private static String patterns() {
        return "/(com\\\\.fasterxml\\\\.jackson|org\\\\.h2|dev\\\\.understudy\\\\.it\\\\.overhead\\\\.work)\\\\..*/";
    }

    private static String handler(String annotations, String classes, String methods, String parameters, String body) {
        return annotations.formatted(classes, methods) + " public static void seen(" + parameters + ") { " + body
                + " }";
    }

    private String atMost(double ratio, double most) {
        return most == 0 ? "– | " : String.format(Locale.ROOT, "≤ %.2f | %s", most, verdict(ratio <= most));
    }

    private String verdict(boolean met) {
        missed |= !met;
        return met ? "met" : "**missed**";
    }

    private String missingPeers() {
        return peers.missing().isEmpty() ? "" : "\nNot to be had: " + String.join(", ", peers.missing()) + ".\n";
    }
}
