package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the agent tells of allocations, from a JVM of its own. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class AllocationsIT {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-";
    private static final Pattern NAMES = Pattern.compile("\"names\":\\[(.*?)\\],\"stacks\"");
    private static final Pattern PLACE = Pattern.compile("\"port\":(\\d+),\"from\":(\\d+),");
    private static final Pattern STACK = Pattern.compile("\\{(?:\"span\":\"(\\w+)\",)?("
            + PLACE.pattern().replace("(", "(?:") + ")?[^{}]*\"frames\":\\[([\\d,]*)\\]\\}");

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void whatARequestMakes_isToldWithItsStackAndExchange_unlessNobodyAsked(Path java) throws Exception {
        toldByExchange(java, "-Dvirtual=false");
    }

    @ParameterizedTest
    @MethodSource("dev.understudy.agent.fork.ForkedJvm#virtualJavas")
    void onVirtualThreads_itIsToldToo(Path java) throws Exception {
        toldByExchange(java, "-Dvirtual=true");
    }

    @ParameterizedTest
    @MethodSource("javas")
    void ofARequestWithoutHeaders_itIsToldByItsBytes(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, ",allocations=150", "-Dchannels=true", LineServer.class);
                LineClient client = new LineClient(jvm)) {
            sidecar.reportWith("\"state\":\"armed\"");
            List<String> places = new ArrayList<>();
            AtomicLong lines = new AtomicLong();
            Patience.until(told -> places.size() >= 5, () -> {
                client.ask();
                lines.incrementAndGet();
                if (!sidecar.noAllocations()) {
                    places.addAll(placesOf("LineServer.answer", sidecar.allocations()));
                }
                return places;
            });
            for (String place : places) {
                Matcher known = PLACE.matcher(place);
                assertThat(known.matches()).as(place).isTrue();
                assertThat(known.group(1)).isEqualTo(client.port());
                assertThat(Long.parseLong(known.group(2)) % 3).as(place).isZero();
                assertThat(Long.parseLong(known.group(2))).isBetween(0L, 3L * lines.get());
            }
        }
    }

    /** By what the exchanges are known for which something was made in that method. */
    private static List<String> placesOf(String method, String told) {
        List<String> places = new ArrayList<>();
        List<String> frames = frames(told);
        for (Matcher stack = STACK.matcher(told); stack.find(); ) {
            boolean made = List.of(stack.group(3).split(",", -1)).stream()
                    .anyMatch(frame -> frames.get(Integer.parseInt(frame)).endsWith(method));
            if (made && stack.group(2) != null) {
                places.add(stack.group(2));
            }
        }
        return places;
    }

    private static List<String> frames(String told) {
        Matcher names = NAMES.matcher(told);
        assertThat(names.find()).as(told).isTrue();
        return List.of(names.group(1).replace("\"", "").split(",", -1));
    }

    private static void toldByExchange(Path java, String option) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                FakeSidecar unasked = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, ",allocations=150", option);
                ForkedJvm quiet = start(java, unasked, "", option)) {
            sidecar.reportWith("\"state\":\"armed\"");
            unasked.reportWith("\"state\":\"armed\"");
            assertThat(quiet.get("/allocate", "")).isEqualTo("allocated");
            assertToldByExchange(jvm, sidecar, 10);
            assertThat(unasked.noAllocations()).isTrue();
            assertThat(jvm.stderr())
                    .contains("debug agent on")
                    .doesNotContain("aren't sampled", "thread allocations ended");
        }
    }

    /**
     * What two routes make is told as theirs, of so many exchanges each, and most of all that they make. A busy machine
     * may stop the agent between the two clocks of a mark: nobody knows whose the samples beside it are.
     */
    static void assertToldByExchange(ForkedJvm jvm, FakeSidecar sidecar, int exchanges) throws Exception {
        Map<String, List<String>> spans = new HashMap<>();
        AtomicInteger sent = new AtomicInteger();
        AtomicReference<String> last = new AtomicReference<>("");
        Patience.until(
                known -> Math.min(count(known, "allocated"), count(known, "filled")) >= exchanges
                        && count(known, "") <= (count(known, "allocated") + count(known, "filled")) / 2,
                () -> {
                    String number = String.format("%015x-01", sent.getAndIncrement());
                    assertThat(jvm.get("/fill", TRACE + "f" + number)).isEqualTo("filled");
                    assertThat(jvm.get("/allocate", TRACE + "a" + number)).isEqualTo("allocated");
                    Thread.sleep(5); // what comes is a matter of time, not of requests
                    if (!sidecar.noAllocations()) {
                        last.set(sidecar.allocations());
                        addSpans(last.get(), spans);
                        if (!spans.containsKey("allocated") && !spans.containsKey("filled")) {
                            spans.clear(); // nobody knows whose, since they were made before the clocks were known
                        }
                    }
                    return spans;
                });
        String told = last.get();
        assertThat(told).contains("\"perSecond\":150,").doesNotContain("understudy.agent.export", "0x");
        assertThat(spans.get("allocated")).allMatch(span -> span.startsWith("a"), "not another's");
        assertThat(spans.get("filled")).allMatch(span -> span.startsWith("f"), "not another's");
    }

    private static int count(Map<String, List<String>> spans, String method) {
        return spans.getOrDefault(method, List.of()).size();
    }

    /**
     * Of what was made in these two methods, the exchanges' spans; of that whose exchange isn't known, below no name.
     */
    private static void addSpans(String told, Map<String, List<String>> spans) {
        List<String> frames = frames(told);
        for (Matcher stack = STACK.matcher(told); stack.find(); ) {
            for (String frame : stack.group(3).split(",", -1)) {
                String name = frames.get(Integer.parseInt(frame));
                String method = name.substring(name.lastIndexOf('.') + 1);
                if (name.endsWith("SmallServer." + method)
                        && List.of("allocated", "filled").contains(method)) {
                    String span = stack.group(1);
                    spans.computeIfAbsent(span == null ? "" : method, unseen -> new ArrayList<>())
                            .add(String.valueOf(span));
                }
            }
        }
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, String arguments, String option) throws IOException {
        return start(java, sidecar, arguments, option, SmallServer.class);
    }

    private static ForkedJvm start(
            Path java, FakeSidecar sidecar, String arguments, String option, Class<?> application) throws IOException {
        return ForkedJvm.start(
                java,
                "=debug=true,budget=1,service=small-debug,sidecar=" + sidecar.url() + arguments,
                List.of(option),
                List.of(application.getName()));
    }
}
