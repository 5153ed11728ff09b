package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the agent tells of the stacks of serving threads, from a JVM of its own. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class StacksIT {
    private static final String SPAN = "b7ad6b7169203331";
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-" + SPAN + "-01";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aSlowRequest_isSeenWhereItsTimeGoes(Path java) throws Exception {
        slowRequest(java, "-Dvirtual=false");
    }

    @ParameterizedTest
    @MethodSource("dev.understudy.agent.fork.ForkedJvm#virtualJavas")
    void onAVirtualThread_itIsSeenToo(Path java) throws Exception {
        slowRequest(java, "-Dvirtual=true");
    }

    private static void slowRequest(Path java, String option) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, "", option)) {
            sidecar.reportWith("\"state\":\"armed\"");
            String told = Patience.until(
                    batch -> batch.contains("SmallServer.waited") && batch.contains("LockSupport.parkNanos"), () -> {
                        assertThat(jvm.get("/wait", TRACEPARENT)).isEqualTo("waited");
                        return sidecar.noStacks() ? "" : sidecar.stacks();
                    });
            assertThat(told).contains("{\"span\":\"" + SPAN + "\",\"frames\":[").doesNotContain("0x");
            sidecar.reportMatching(Pattern.compile("\"stacks\":[1-9]"));
        }
    }

    @Test
    void aFullWindow_orARateOfNothing_endsIt() throws Exception {
        try (FakeSidecar full = new FakeSidecar();
                FakeSidecar unwanted = new FakeSidecar();
                ForkedJvm inDanger = start(ForkedJvm.java(), full, "", "-Dvirtual=false");
                ForkedJvm switchedOff = start(ForkedJvm.java(), unwanted, ",stacks=0", "-Dvirtual=false")) {
            full.utilisation(0.9);
            full.reportWith("\"state\":\"closed\"");
            unwanted.reportWith("\"state\":\"armed\"");
            assertThat(inDanger.get("/wait", TRACEPARENT)).isEqualTo("waited");
            assertThat(switchedOff.get("/wait", TRACEPARENT)).isEqualTo("waited");

            assertThat(full.reportWith("\"exchanges\":1")).contains("\"stacksPerSecond\":0.0,\"stacks\":0,");
            assertThat(unwanted.reportWith("\"exchanges\":1")).contains("\"stacksPerSecond\":0.0,\"stacks\":0,");
            assertThat(full.noStacks()).isTrue();
            assertThat(unwanted.noStacks()).isTrue();
        }
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, String arguments, String option) throws IOException {
        return ForkedJvm.start(
                java,
                "=debug=true,service=small-debug,sidecar=" + sidecar.url() + arguments,
                List.of(option),
                List.of(SmallServer.class.getName()));
    }
}
