package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Exchanges of servers on Netty, by each of its transports that runs here. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class TransportsIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e";
    private static final String DEBUG_SPAN = "00f067aa0ba902b7";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    static Stream<Arguments> transports() throws IOException {
        return Stream.concat(
                javas().map(java -> Arguments.of("nio", java)), // the JDK's, the others have native code of their own
                Stream.of("epoll", "io_uring", "ring").map(transport -> Arguments.of(transport, ForkedJvm.java())));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void anExchangeIsKnownByItsBytes(String transport, Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = lines(java, sidecar, transport);
                LineClient client = new LineClient(jvm);
                LineClient other = new LineClient(jvm)) {
            sidecar.reportWith("\"state\":\"armed\"");
            client.assertExchangesAreKnownByTheirBytes(sidecar, other);
            assertThat(sidecar.reportWith("\"faults\":")).contains("\"faults\":0,\"failedClasses\":0");
            assertThat(jvm.stderr()).doesNotContain("Error", "stays as it was", "takes longer");
        }
    }

    @Test
    void onWebFluxByIoUring_whatOtherThreadsDoForARequest_isItsOwn() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar()) {
            lines(ForkedJvm.java(), sidecar, "io_uring").close(); // or it is skipped here
        }
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "-Dh2c=false", WebFluxServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            AtomicInteger number = new AtomicInteger(1000);
            sidecar.observe(List.of("WebFluxServer#answer\"", "SmallServer#price\""), () -> {
                String trace = TRACE + number.getAndIncrement();
                return jvm.get("/3", "00-" + trace + '-' + DEBUG_SPAN + "-01");
            });
            OtlpSpan span = sidecar.span();
            assertThat(span.trace()).startsWith(TRACE);
            assertThat(jvm.stdout()).contains("by IoUringServerSocketChannel");
        }
    }

    private static ForkedJvm lines(Path java, FakeSidecar sidecar, String transport) throws IOException {
        ForkedJvm jvm = start(java, sidecar, "-Dtransport=" + transport, NettyLineServer.class);
        if (jvm.port() == 0) {
            String missing = String.join(" ", jvm.stdout());
            jvm.close();
            System.out.println("SKIPPED on " + transport + ": " + missing);
            return Assumptions.abort(missing);
        }
        return jvm;
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, String option, Class<?> main) throws IOException {
        String arguments = "=debug=true,budget=1,service=small-debug,sidecar=" + sidecar.url();
        return ForkedJvm.startWithIoUring(java, arguments, List.of(option), List.of(main.getName()));
    }
}
