package dev.understudy.relay;

import dev.understudy.relay.loop.Transport;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is used where a machine doesn't have what is asked for. */
final class TransportTest {
    /** Prints what is used in io_uring's stead. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            System.out.println("used: " + Transport.IO_URING.orBest().word());
            System.out.println("missing: " + Transport.IO_URING.missing());
        }
    }

    @Tag("process")
    @Test
    void missingIoUring_isSaid_andSomethingElseUsed() throws Exception {
        // Netty then has no native code, as if the kernel refused all of it.
        List<String> refused = List.of("env", "JDK_JAVA_OPTIONS=-Dio.netty.transport.noNative=true");
        try (ForkedJvm program = ForkedJvm.start(refused, Program.class)) {
            assertThat(program.rest())
                    .anyMatch(line -> line.contains("WARN") && line.contains("io_uring can't be had here ("))
                    .anyMatch(line -> line.contains("sockets are served by nio instead"))
                    .contains("used: nio")
                    .anyMatch(line -> line.startsWith("missing: io_uring can't be had here ("));
        }
    }

    @Test
    void whatIsThere_isUsed() {
        assertThat(Transport.NIO.orBest()).isEqualTo(Transport.NIO);
        assertThat(Transport.best().available()).isTrue();
        assertThat(Transport.best().missing()).isEmpty();
    }
}
