package dev.understudy.agent.fork;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The agent on the oldest Java that it runs on, and on the first one with virtual threads: what the other tests here
 * see elsewhere.
 */
@Tag("any-jdk") // its JVMs are of these versions wherever it runs
final class OtherJavasIT {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String SETTINGS = "debug=true,budget=1,service=small-debug,sidecar=";

    /** The applications as class files that both can read. */
    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() {
        List<String> line = new ArrayList<>(List.of(
                "-g", "-d", classes.toString(), "--release", "11", "-cp", System.getProperty("java.class.path")));
        Stream.of(
                        SmallServer.class,
                        CartServer.class,
                        ElderServer.class,
                        LineServer.class,
                        CallerServer.class,
                        ConnectServer.class,
                        TaskLocks.class)
                .map(type -> "src/test/java/" + type.getName().replace('.', '/') + ".java")
                .forEach(line::add);
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        assertThat(compiler.run(null, null, null, line.toArray(String[]::new))).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void methodsAndSpansAreTold_andTheAgentCanBeAttached(String version) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(version, sidecar, SmallServer.class, "-Dvirtual=true")) {
            sidecar.reportWith("\"state\":\"armed\"");
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(sidecar.reportWith("#discount\",\"hits\":40,", "\"exchanges\":1,"))
                    .contains("\"jvm\":\"OpenJDK 64-Bit Server VM " + version, "\"faults\":0,\"failedClasses\":0");
            List<OtlpSpan> spans = sidecar.spansOf(
                    trace -> jvm.get("/40", "00-" + trace + "-b7ad6b7169203331-01"), "SmallServer.price");
            assertThat(spans).extracting(OtlpSpan::service).containsOnly("small-debug");
            assertQuiet(jvm);
        }
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(NeedsJre.java(version), null, List.of(), main(SmallServer.class))) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            jvm.attach(SETTINGS + sidecar.url());
            sidecar.reportWith(TasksIT.ALL); // also by threads that were there before
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            sidecar.reportWith("#discount\",\"hits\":40,");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void classesAreLookedInto_probesAndAPatchAreOrdered_andTakenBack(String version) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(version, sidecar, SmallServer.class)) {
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo(PatchIT.OLD);
            sidecar.reportWith("\"state\":\"armed\"");
            DeepenIT.assertPriceIsLookedInto(jvm, sidecar, "\"classes\":[],\"methods\":[]");
            sidecar.order("{}");
            sidecar.reportWith("\"secondLevel\":[]");

            AgentIT.assertProbesAreOffAndArmed(jvm, sidecar);

            try (URLClassLoader own =
                    new URLClassLoader(new URL[] {classes.toUri().toURL()}, null)) {
                sidecar.patch(PatchIT.jar(PatchIT.dearer(own)));
            }
            assertThat(sidecar.reportOfFollower()).contains("1 classes changed", "\"problems\":[]");
            assertThat(jvm.get("/40", "")).isEqualTo(PatchIT.NEW);
            sidecar.order("{}");
            assertThat(sidecar.reportOfFollower()).contains("\"patch\":\"\"", "\"problems\":[]");
            assertThat(jvm.get("/40", "")).isEqualTo(PatchIT.OLD);
            assertQuiet(jvm);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void aLogPointTells(String version) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(version, sidecar, CartServer.class)) {
            assertThat(jvm.get("/3", "")).isEqualTo("total 54");
            PointIT.assertALogPointTells(jvm, sidecar);
            assertQuiet(jvm);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void aSnapshotTells(String version) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(version, sidecar, CartServer.class)) {
            PointIT.assertASnapshotTells(jvm, sidecar);
            assertQuiet(jvm);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void locksAreToldOf_andTasksAreFollowed(String version) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(version, sidecar, ElderServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            TasksIT.assertLocksAreTold(jvm, sidecar);
            TasksIT.spansOfAll(ElderServer.class, Map.of("executor", List.of("inExecutor")), jvm, sidecar);
            assertQuiet(jvm);
        }
    }

    /** Before Java 16 from slices of seconds. */
    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void allocationsAreTold_byExchange(String version) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        NeedsJre.java(version),
                        "=" + SETTINGS + sidecar.url() + ",allocations=150",
                        List.of("-Dvirtual=false"),
                        main(SmallServer.class))) {
            sidecar.reportWith("\"state\":\"armed\"");
            AllocationsIT.assertToldByExchange(jvm, sidecar, 3);
            assertQuiet(jvm);
        }
    }

    /** The sockets of streams are others before JDK 13. */
    @ParameterizedTest
    @CsvSource({"11, false", "11, true", "21, false"})
    void anExchangeIsKnownByItsBytes(String version, String channels) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(version, sidecar, LineServer.class, "-Dchannels=" + channels);
                LineClient client = new LineClient(jvm)) {
            sidecar.reportWith("\"state\":\"armed\"");
            client.assertExchangesAreKnownByTheirBytes(sidecar);
            assertThat(sidecar.reportWith("\"faults\":")).contains("\"faults\":0,\"failedClasses\":0");
            assertThat(jvm.stderr()).doesNotContain("Exception", "stays as it was", "takes longer");
        }
    }

    /** What a thread that waits in old code accepts isn't heard of, but what is accepted after that. */
    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void whereTheAgentIsAttached_exchangesOfLaterConnectionsAreKnown(String version) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(NeedsJre.java(version), null, List.of(), main(LineServer.class))) {
            try (LineClient before = new LineClient(jvm)) {
                before.ask();
                jvm.attach(SETTINGS + sidecar.url());
                sidecar.reportWith("\"state\":\"armed\"");
                before.ask();
            }
            try (LineClient later = new LineClient(jvm)) {
                later.assertExchangesAreKnownByTheirBytes(sidecar);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void eachWrite_hasTheTraceOfItsExchange(String version) throws Exception {
        CallersIT.assertEachWriteHasItsTrace(NeedsJre.java(version), List.of(), main(CallerServer.class), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "21"})
    void connectionsToWhatIsNotListed_areRefused(String version) throws Exception {
        EgressIT test = new EgressIT();
        test.name();
        try (ForkedJvm jvm =
                ForkedJvm.start(NeedsJre.java(version), "=" + test.settings(), List.of(), main(ConnectServer.class))) {
            test.assertGuarded(jvm, EgressIT.JDKS);
            assertQuiet(jvm);
        } finally {
            test.close();
        }
    }

    @Test
    void anExchange_isFollowedOntoAVirtualThread() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start("21", sidecar, ElderServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            TasksIT.spansOfAll(ElderServer.class, Map.of("virtual", List.of("virtually")), jvm, sidecar);
            assertQuiet(jvm);
        }
    }

    private static ForkedJvm start(String version, FakeSidecar sidecar, Class<?> application, String... options)
            throws IOException {
        return ForkedJvm.start(
                NeedsJre.java(version), "=" + SETTINGS + sidecar.url(), List.of(options), main(application));
    }

    private static List<String> main(Class<?> application) {
        return List.of("-cp", classes.toString(), application.getName());
    }

    private static void assertQuiet(ForkedJvm jvm) throws IOException {
        assertThat(jvm.stderr()).doesNotContain("Exception", "Error", "stays as it was");
    }
}
