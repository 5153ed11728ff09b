package dev.understudy.agent.fork;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the agent has the JVM load before the application's main method, by which its start can be told without a clock.
 */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class StartIT {
    private static final String AGENT = "dev.understudy.agent.";
    /** Loaded when the JVM looks for the main class. */
    private static final String MAIN = "sun.launcher.LauncherHelper";
    /** Parts of the JDK that take milliseconds to get ready, and aren't needed yet. */
    private static final String NOT_YET =
            "(java\\.util\\.regex|java\\.net\\.http|java\\.util\\.logging|java\\.text|jdk\\.jfr)\\..*"
                    + "|java\\.lang\\.management\\.(?!ManagementFactory).*"
                    + "|sun\\.nio\\.ch\\.FileChannelImpl|java\\.net\\.JarURLConnection|"
                    + "java\\.util\\.concurrent\\.(Linked|Array)BlockingQueue";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("dev.understudy.agent.fork.AgentIT#javas")
    void beforeMain_nothingIsLoadedThatCanWait(Path java) throws Exception {
        List<String> loaded = loadedBeforeMain(java, "debug=true");

        assertThat(loaded).noneMatch(name -> name.matches(NOT_YET));
        assertThat(loaded)
                .noneMatch(name -> name.startsWith(AGENT)
                        && name.matches(".*(Sidecar|Report|Order|Leak|point|export\\.(?!OwnThreads|Stderr)).*"));
    }

    @ParameterizedTest
    @MethodSource("dev.understudy.agent.fork.AgentIT#javas")
    void beforeMain_whereClassesWereKept_notEvenWhatTakesClassFilesApartIsLoaded(Path java) throws Exception {
        Path jdk = folder.resolve("cache").resolve("jdk");
        String arguments = "debug=true,cache=" + jdk.getParent();
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, arguments)) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            Patience.until(report -> Files.exists(jdk), sidecar::report);
        }
        List<String> loaded = loadedBeforeMain(java, arguments);

        assertThat(loaded).contains(AGENT + "carry.CarryTransformer");
        assertThat(loaded)
                .noneMatch(name -> name.startsWith(AGENT + "shaded.") || name.startsWith(AGENT + "carry.CarryPoint"));
        assertThat(loaded)
                .as("lambda expressions")
                .noneMatch(name -> name.startsWith(AGENT) && name.contains("$$Lambda"));
        assertThat(loaded).filteredOn(name -> name.startsWith(AGENT)).hasSizeLessThan(100);
    }

    @ParameterizedTest
    @MethodSource("dev.understudy.agent.fork.AgentIT#javas")
    void whatWeavesClasses_isLeftToTheFirstCompiler_unlessThereIsLittleToWeave(Path java) throws Exception {
        Path woven = folder.resolve("cache").resolve("woven");
        String arguments = "debug=true,cache=" + woven.getParent();
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, arguments)) {
            assertThat(directives(java, jvm)).contains("dev/understudy/agent/weave/*.*");
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            Patience.until(report -> Files.exists(woven), sidecar::report);
        }
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = AgentIT.start(java, sidecar, arguments)) {
            assertThat(directives(java, jvm)).doesNotContain("understudy");
        }
    }

    private static String directives(Path java, ForkedJvm jvm) throws Exception {
        Process jcmd = new ProcessBuilder(
                        java.resolveSibling("jcmd").toString(), Long.toString(jvm.pid()), "Compiler.directives_print")
                .redirectErrorStream(true)
                .start();
        return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private List<String> loadedBeforeMain(Path java, String arguments) throws Exception {
        Path log = folder.resolve("loaded");
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        java,
                        "=" + arguments + ",sidecar=" + sidecar.url(),
                        List.of("-Xlog:class+load:file=" + log + "::filecount=0"),
                        List.of(SmallServer.class.getName()))) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
        }
        List<String> all = Files.readAllLines(log).stream()
                .map(line -> line.replaceFirst("^(\\[[^]]*])*\\s*", ""))
                .map(line -> line.split(" ", 2)[0])
                .collect(Collectors.toList());
        assertThat(all).contains(MAIN, AGENT + "Agent");
        return all.subList(all.indexOf(AGENT + "Agent"), all.lastIndexOf(MAIN));
    }
}
