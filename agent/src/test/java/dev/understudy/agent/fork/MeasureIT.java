package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What calls take beside time, told by the agent's jar in a JVM of its own. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class MeasureIT {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String METHOD = "\\{\"method\":\"[^\"]*SmallServer#price\"[^}]*";

    @TempDir
    Path folder;

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void cpuTimeBytesAndCounters_areToldOfMethods_orWhyNoCounters(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        java,
                        "=debug=true,budget=1,quota=9/1s,measure=cpu;alloc;counters,service=small-debug,sidecar="
                                + sidecar.url(),
                        List.of(),
                        List.of(SmallServer.class.getName()))) {
            String report = sidecar.reportWith("\"state\":\"armed\"");
            boolean none = report.contains("\"counters\":\"none: ");
            System.out.println(java + ": " + report.replaceAll(".*(\"measure\":\\{\"what\"[^}]*}).*", "$1"));
            String counted = none ? "" : "[^}]*\"counters\":\\{\"(cycles|taskClockNanos)\":[1-9]";
            report = asked(
                    jvm,
                    sidecar,
                    "\"measured\":[1-9].*\"quota\":\\{\"perMethod\":\"9/1s\",\"taken\":[1-9].*" + METHOD
                            + "\"cpuMicros\":[0-9.]+,\"allocatedBytes\":[0-9.]+" + counted);
            if (report.contains("\"jvm\":\"OpenJDK 64-Bit Server VM 17")) {
                assertThat(report)
                        .contains(
                                "none: JDK 17 has no foreign functions (22 has); CPU time and allocated bytes instead");
            } else {
                String some = mayCount() ? "hardware|software" : "hardware|software|none";
                assertThat(report).containsPattern("\"counters\":\"(" + some + "): (?!.*foreign functions)");
            }
            assertThat(jvm.stderr()).doesNotContain("WARNING");
        }
    }

    /** Whether nothing filters our system calls and the kernel lets whoever we are count what it does itself. */
    private static boolean mayCount() throws IOException {
        Path paranoid = Path.of("/proc/sys/kernel/perf_event_paranoid");
        return Files.exists(paranoid)
                && Integer.parseInt(Files.readString(paranoid).strip()) <= 2
                && Files.readAllLines(Path.of("/proc/self/status")).contains("Seccomp:\t0");
    }

    @ParameterizedTest
    @MethodSource("javas")
    void theRingOfAJvmThatWasKilled_hasItsCallsAndDecisions(Path java) throws Exception {
        Path ring = folder.resolve("agent.ring");
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        java,
                        "=debug=true,budget=1,ring=" + ring + ",ring-size=1MiB,sidecar=" + sidecar.url(),
                        List.of(),
                        List.of(SmallServer.class.getName()))) {
            sidecar.reportWith("\"state\":\"armed\"");
            asked(jvm, sidecar, METHOD + "\"samples\":[1-9]");
            // what was decided is written once a second
            Patience.until(RingContent::isWhole, () -> {
                sidecar.report();
                return RingContent.read(ring);
            });
        }
        RingContent left = RingContent.read(ring);
        assertThat(left.isWhole()).as(left.toString()).isTrue();
        assertThat(left.kinds()).isSubsetOf(0, 1, 2, 4, 5);
        assertThat(left.spans()).contains(0xb7ad6b7169203331L);
    }

    /** What a ring's file has: its names, and of its records the kinds and the spans that they belong to. */
    private record RingContent(String names, Set<Integer> kinds, Set<Long> spans) {
        static RingContent read(Path file) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            Set<Integer> kinds = new HashSet<>();
            Set<Long> spans = new HashSet<>();
            for (int at = 64 + bytes.getInt(12); at < bytes.capacity(); at += 64) {
                kinds.add(bytes.getInt(at + 8));
                spans.add(bytes.getLong(at + 48));
            }
            return new RingContent(
                    new String(bytes.array(), 64, bytes.getInt(12), StandardCharsets.UTF_8), kinds, spans);
        }

        /** Calls, costs and decisions, by name. */
        boolean isWhole() {
            return names.contains(SmallServer.class.getName() + "#price")
                    && names.contains("the window ")
                    && kinds.containsAll(Set.of(1, 2, 4));
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void virtualThreads_areNotMeasured_andThatIsCounted(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        java,
                        "=debug=true,budget=1,service=small-debug,sidecar=" + sidecar.url(),
                        List.of("-Dvirtual=true"),
                        List.of(SmallServer.class.getName()))) {
            String report = sidecar.reportWith("\"state\":\"armed\"");
            boolean hasVirtual = !report.contains("\"jvm\":\"OpenJDK 64-Bit Server VM 17");
            report = asked(jvm, sidecar, hasVirtual ? "\"notMeasured\":[1-9]" : "\"measured\":[1-9].*\"cpuMicros\"");
            assertThat(report.contains("\"cpuMicros\"")).isEqualTo(!hasVirtual);
        }
    }

    /** The first report in which that is found, while the application is asked. */
    private static String asked(ForkedJvm jvm, FakeSidecar sidecar, String pattern) throws Exception {
        Pattern wanted = Pattern.compile(pattern);
        return Patience.until(report -> wanted.matcher(report).find(), () -> {
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            return sidecar.report();
        });
    }
}
