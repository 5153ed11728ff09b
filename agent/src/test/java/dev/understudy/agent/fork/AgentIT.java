package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The agent's jar in a JVM of its own, beside an application that knows nothing of it. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class AgentIT {
    private static final String SERVER = SmallServer.class.getName();
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String DEBUG_SPAN = "b7ad6b7169203331";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + DEBUG_SPAN + "-01";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void debugJvm_reportsItsMethodsAndFollowsTheWindow(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, "debug=true")) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            String armed = sidecar.reportWith("\"state\":\"armed\"");
            assertThat(armed)
                    .contains(
                            "\"name\":\"small-debug-",
                            "\"budgetMax\":0.2",
                            "\"utilisation\":0.05",
                            "\"faults\":0",
                            "\"failedClasses\":0");

            for (int i = 0; i < 20; i++) {
                assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            }
            sidecar.reportWith(
                    SERVER + "#price\",\"hits\":21,",
                    "\"exchanges\":21",
                    "#discount\",\"hits\":840,",
                    "#handle\"",
                    "#answer\"");

            sidecar.utilisation(0.9);
            sidecar.reportWith("\"state\":\"closed\"", "\"budget\":0.0", "\"utilisation\":0.9", "nearly full");
            sidecar.utilisation(0.05);
            sidecar.reportWith("\"state\":\"armed\"");
            // decided before the next reading, which says that it is empty
            Patience.until(report -> report.contains("\"state\":\"closed\""), () -> {
                sidecar.flash(0.9);
                return sidecar.report();
            });
            sidecar.reportWith("\"state\":\"armed\"");
            assertThat(jvm.get("/2000", TRACEPARENT)).isEqualTo("refused: position: 1001");
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void sampledCalls_becomeSpansUnderTheDebugSpan(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, "debug=true,budget=1")) {
            List<OtlpSpan> spans = sidecar.spansOf(
                    trace -> jvm.get("/3", "00-" + trace + "-" + DEBUG_SPAN + "-01"),
                    "SmallServer.handle",
                    "SmallServer.answer",
                    "SmallServer.price",
                    "SmallServer.discount");
            Map<String, OtlpSpan> byId = spans.stream().collect(Collectors.toMap(OtlpSpan::id, span -> span));
            OtlpSpan handle = spans.get(spans.size() - 1);
            assertThat(handle.name()).as("the last that ends").isEqualTo("SmallServer.handle");
            assertThat(handle.parent()).isEqualTo(DEBUG_SPAN);
            assertThat(handle.service()).isEqualTo("small-debug");
            for (OtlpSpan span : spans) {
                OtlpSpan parent = byId.get(span.parent());
                if (!span.equals(handle)) {
                    assertThat(parent).as(span.toString()).isNotNull();
                    assertThat(parent.start()).isLessThanOrEqualTo(span.start());
                    assertThat(parent.end()).isGreaterThanOrEqualTo(span.end());
                }
            }
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void classWhoseObjectsGrowWithTheRequests_isTold(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        java,
                        "=debug=true,leaks=1s,sidecar=" + sidecar.url(),
                        List.of(ForkedJvm.REPORTS_EACH_SECOND), // what leaks meanwhile makes each count slower
                        List.of(SERVER))) {
            sidecar.reportWith("\"state\":\"armed\"");
            String report = Patience.until(
                    told -> sites(told, SERVER + "$Leaked").contains("#keep\"")
                            && uses(told, SERVER + "$Leaked").contains("#done\"")
                            && sites(told, "java.util.LinkedHashMap$Entry").contains("#keep\""),
                    () -> {
                        assertThat(jvm.get("/leak", TRACEPARENT)).isEqualTo("leaked");
                        assertThat(jvm.get("/1", TRACEPARENT)).isEqualTo("price 3");
                        return sidecar.report();
                    });

            Matcher growing = Pattern.compile(
                            Pattern.quote("{\"class\":\"" + SERVER + "$Leaked\",") + "[^}]*\"perThousand\":([0-9.]+)")
                    .matcher(report);
            assertThat(growing.find()).as(report).isTrue();
            assertThat(Double.parseDouble(growing.group(1)))
                    .as("fifty in each second exchange")
                    .isBetween(20_000.0, 30_000.0);
            // most: some may be counted while a request still works with them
            assertThat(uses(report, SERVER + "$Leaked"))
                    .as(report)
                    .containsPattern("\"survived\":[1-9][0-9]*,\"part\":(?:1[.]0|0[.][5-9][0-9]*),\"methods\":\\[\""
                            + SERVER + "#done\",\"" + SERVER + "#keep\"")
                    .contains(SERVER + "$Leaked.close(SmallServer.java:");
            for (String name : List.of(SERVER + "$Leaked", "java.util.LinkedHashMap$Entry")) {
                assertThat(sites(report, name))
                        .as(report)
                        .containsPattern("\"survived\":[1-9][0-9]*,\"part\":1.0,\"methods\":\\[\"" + SERVER
                                + "#keep\",\"" + SERVER + "#answer\"")
                        .contains(SERVER + ".keep(SmallServer.java:");
            }
        }
    }

    /** Where objects of a class are made that stay, as a report says it; "" if it doesn't yet. */
    private static String sites(String report, String className) {
        Matcher growing = Pattern.compile(
                        Pattern.quote("{\"class\":\"" + className + "\",") + "[^{}]*\"sites\":\\[(\\{[^}]*\\})")
                .matcher(report);
        return growing.find() ? growing.group(1) : "";
    }

    /** Where they were used last, as a report says it; "" if it doesn't yet. */
    private static String uses(String report, String className) {
        int from = report.indexOf("{\"class\":\"" + className + "\",");
        int next = from < 0 ? -1 : report.indexOf("{\"class\":", from + 1);
        int uses = from < 0 ? -1 : report.indexOf("\"uses\":[", from);
        return uses < 0 || (next >= 0 && next < uses) ? "" : report.substring(uses, next < 0 ? report.length() : next);
    }

    @Test
    void whatTheAgentTookOfAnExchange_isTold_moreWhereMoreIsSampled() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "debug=true,budget=1")) {
            sidecar.reportWith("\"state\":\"armed\"");
            AtomicInteger number = new AtomicInteger(100_000);
            Patience.until(
                    took -> took[0] < took[1] && took[1] >= 100 && took[1] <= 100_000_000, // or something came between
                    () -> new long[] {
                        overhead(jvm, sidecar, "/0", "b7ad6b7169" + number.getAndIncrement()),
                        overhead(jvm, sidecar, "/900", "b7ad6b7169" + number.getAndIncrement())
                    });
        }
    }

    @Test
    void orders_areFollowed_andWhatTheAgentDoesNotKnowIsAProblem() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "debug=true")) {
            assertThat(sidecar.reportWith("\"state\":\"armed\""))
                    .as("a sidecar that knows of no orders")
                    .contains("\"orders\":{\"revision\":-1,");
            sidecar.order("{\"juggle\":{\"balls\":5}}");
            assertThat(sidecar.reportOfFollower())
                    .contains("\"problems\":[\"juggle: this agent knows no such order\"]");
            sidecar.order("{}");
            assertThat(sidecar.reportOfFollower()).contains("\"problems\":[]");
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
        }
    }

    @Test
    void probesThatAreOff_areNotSeenBeforeTheyAreAllowedAgain() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "debug=true")) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            assertProbesAreOffAndArmed(jvm, sidecar);

            sidecar.order(
                    "{\"probes\":{\"rules\":[{\"pattern\":\"from:*.SmallServer#answer\",\"stance\":\"armed\"}]}}");
            int early = reached(sidecar, 1);
            assertThat(jvm.get("/late", "")).isEqualTo("late"); // whose class comes with that
            reached(sidecar, early);
        }
    }

    /** Orders probes to be off and armed by patterns, and takes that back. */
    static void assertProbesAreOffAndArmed(ForkedJvm jvm, FakeSidecar sidecar) throws Exception {
        sidecar.order("{\"probes\":{\"rules\":[{\"pattern\":\"*.SmallServer#pr*\",\"stance\":\"armed\"},"
                + "{\"pattern\":\"*SmallServer#discount\",\"stance\":\"off\"},{\"pattern\":\"@no.Such\","
                + "\"stance\":\"off\"}]}}");
        assertThat(sidecar.reportOfFollower())
                .contains("\"probes\":\"1 armed, 1 off, @no.Such matches none that is woven\"");
        long before = count(sidecar.reportWith("\"ordered\":\"off\"", "#discount\"", "#price\""), "price", "hits");
        String first = Patience.until(report -> count(report, "price", "hits") > before, () -> {
            jvm.get("/40", "");
            return sidecar.report();
        });
        long off = count(first, "discount", "hits"); // those before the order were learnt with the others
        String busy = Patience.until(
                report -> count(report, "price", "samples") > 3 && count(report, "price", "hits") > before + 20, () -> {
                    for (int i = 0; i < 7; i++) {
                        jvm.get("/40", "");
                    }
                    return sidecar.report();
                });
        assertThat(count(busy, "discount", "hits")).isEqualTo(off);

        sidecar.order("{}");
        assertThat(sidecar.reportOfFollower()).contains("\"probes\":\"0 armed, 0 off\"");
        Patience.until(report -> count(report, "discount", "hits") > off, () -> {
            jvm.get("/40", "");
            return sidecar.report();
        });
    }

    private static int reached(FakeSidecar sidecar, int before) throws Exception {
        Pattern told = Pattern.compile("\"probes\":\"[1-9]\\d* armed, 0 off, from:[^ ]* reaches (\\d+) methods\"");
        return Patience.until(reached -> reached > before, () -> {
            Matcher found = told.matcher(sidecar.report());
            return found.find() ? Integer.parseInt(found.group(1)) : 0;
        });
    }

    private static long count(String report, String method, String figure) {
        Matcher found = Pattern.compile("#" + method + "\",[^}]*\"" + figure + "\":(\\d+)")
                .matcher(report);
        assertThat(found.find()).as(report).isTrue();
        return Long.parseLong(found.group(1));
    }

    private static long overhead(ForkedJvm jvm, FakeSidecar sidecar, String path, String span) throws Exception {
        Pattern told = Pattern.compile("\"span\":\"" + span + "\",\"nanos\":(\\d+)");
        jvm.get(path, "00-" + TRACE + "-" + span + "-01");
        Matcher found = told.matcher(Patience.until(batch -> told.matcher(batch).find(), sidecar::overheads));
        assertThat(found.find()).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void clock_isBehindByTheLag_ifTheOperatorWantsIt() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar(Duration.ofHours(1));
                ForkedJvm lagging = start(ForkedJvm.java(), sidecar, "debug=true,clock=lag");
                ForkedJvm usual = start(ForkedJvm.java(), sidecar, "debug=true")) {
            awaitBehind(lagging, sidecar, Duration.ofHours(1));
            awaitBehind(usual, sidecar, Duration.ZERO);
            sidecar.lag(Duration.ofMillis(700));
            awaitBehind(lagging, sidecar, Duration.ZERO);
        }
    }

    /** Every clock is behind by that, sooner or later. */
    private static void awaitBehind(ForkedJvm jvm, FakeSidecar sidecar, Duration lag) throws Exception {
        Patience.until(
                clocks -> Stream.of(clocks.split(" "))
                        .mapToLong(clock -> System.currentTimeMillis() - Long.parseLong(clock) - lag.toMillis())
                        .allMatch(wrong -> Math.abs(wrong) < 600_000),
                () -> {
                    sidecar.report();
                    return jvm.get("/clock", "");
                });
    }

    @Test
    void withoutTheDebugMark_theAgentIsInert() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "service=x")) {
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(jvm.stderr().lines())
                    .containsExactly(
                            "[understudy] inert: this JVM isn't marked as the debug one (debug=true isn't set)");
            assertThat(sidecar.heardNothing()).isTrue();
        }
    }

    @Test
    void inAnotherPidNamespaceThanMeant_theAgentIsInert_whateverElseIsSet() throws Exception {
        String own =
                Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "debug=true,pid-namespace=1,service=x")) {
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(jvm.stderr().lines())
                    .containsExactly("[understudy] inert: this process isn't the copy that the agent was sent to (it is"
                            + " in pid namespace " + own + ", expected 1)");
            assertThat(sidecar.heardNothing()).isTrue();
        }
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "debug=true,pid-namespace=" + own)) {
            assertThat(jvm.stderr()).contains("[understudy] debug agent on");
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void theApplication_seesNothingOfOursButTheBootstrapPart(Path java) throws Exception {
        List<String> hidden = List.of(
                "dev.understudy.agent.AgentInstaller",
                "dev.understudy.agent.weave.Weaver",
                "dev.understudy.agent.shaded.bytebuddy.jar.asm.ClassReader",
                "net.bytebuddy.jar.asm.ClassReader",
                "io.opentelemetry.api.trace.Span",
                "com.fasterxml.jackson.core.JsonFactory");
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, "debug=true", hidden.toArray(new String[0]))) {
            for (String name : hidden) {
                assertThat(jvm.stdout()).contains("sees " + name + " false");
            }
        }
    }

    @Test
    void wrongSettings_leaveTheApplicationAloneAndAreAllTold() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "debug=true,budgt=3,otlp=nowhere")) {
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(jvm.stderr())
                    .contains("[understudy] wrong setting: budgt: unknown (did you mean budget?)")
                    .contains("[understudy] wrong setting: otlp: nowhere (expected: http://host:port)")
                    .contains("[understudy] inert: nothing is instrumented");
            assertThat(sidecar.heardNothing()).isTrue();
        }
    }

    @Test
    void withoutASidecar_theApplicationWorksAndIsToldOnce() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start(
                ForkedJvm.java(),
                "=debug=true,sidecar=http://127.0.0.1:1,service=small-debug",
                List.of(),
                List.of(SERVER))) {
            for (int i = 0; i < 50; i++) {
                assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            }
            assertThat(jvm.stderr().lines()).allMatch(AgentIT::isExpected);
        }
    }

    static ForkedJvm start(Path java, FakeSidecar sidecar, String arguments, String... seen) throws IOException {
        String all = "=" + arguments + ",sidecar=" + sidecar.url();
        if (!arguments.contains("service=")) {
            all += ",service=small-debug";
        }
        return ForkedJvm.start(
                java,
                all,
                List.of(),
                Stream.concat(Stream.of(SERVER), Stream.of(seen)).toList());
    }

    static boolean isExpected(String line) {
        Matcher first = Pattern.compile("\\[understudy] (debug agent on; |HttpExporter: |nothing heard "
                        + ").*|.*Sharing is only supported for boot loader.*")
                .matcher(line);
        return first.matches();
    }
}
