package dev.understudy.agent.export;

import dev.understudy.agent.bootstrap.AgentFaults;
import dev.understudy.agent.bootstrap.Sockets;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FaultLineTest {
    private final List<String> lines = new ArrayList<>();
    private final FaultLine faults = new FaultLine(lines::add);

    @Test
    void theFirstFault_isTold_andNoOther() {
        while (AgentFaults.take() != null) {
            // of other tests
        }
        Sockets.writing(new Unhashed());
        faults.look();
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("stayed inside it: java.lang.IllegalStateException: hash at ");

        Sockets.writing(new Unhashed());
        faults.look();
        assertThat(lines).hasSize(1);
        assertThat(AgentFaults.take()).as("nothing is kept").isNull();
    }

    private static final class Unhashed extends Socket {
        @Override
        public int hashCode() {
            throw new IllegalStateException("hash");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other == this;
        }
    }
}
