package dev.understudy.agent.bootstrap;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class EgressTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final List<InetSocketAddress> asked = new ArrayList<>();

    @AfterEach
    void nobodyIsAsked() {
        Egress.guard(null);
    }

    @Test
    void withoutAGuard_nothingIsRefused() {
        assertThatCode(() -> Egress.connecting(LOOPBACK, 1)).doesNotThrowAnyException();
    }

    @Test
    void theGuard_isAskedAboutResolvedAddressesOfTheInternet_butNoDatagrams() throws ConnectException {
        Egress.guard(asked::add);

        Egress.connecting(LOOPBACK, 1);
        Egress.connecting(new InetSocketAddress(LOOPBACK, 2));
        Egress.connecting(new Object(), new InetSocketAddress(LOOPBACK, 3));
        Egress.connecting(new ADatagramChannel(), new InetSocketAddress(LOOPBACK, 4));
        Egress.connecting(InetSocketAddress.createUnresolved("a", 5));
        Egress.connecting(new Unix());
        Egress.connecting((SocketAddress) null);
        Egress.connecting((InetAddress) null, 6);

        assertThat(asked).extracting(InetSocketAddress::getPort).containsExactly(1, 2, 3);
    }

    @Test
    void aGuardThatFails_refuses() {
        while (AgentFaults.take() != null) {
            // what others met before
        }
        int before = AgentFaults.count();
        Egress.guard(to -> {
            throw new StackOverflowError("the agent's");
        });

        assertThatThrownBy(() -> Egress.connecting(LOOPBACK, 1))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessageContaining("egress=deny");
        assertThat(AgentFaults.count() - before).isEqualTo(1);
        assertThat(AgentFaults.take()).isInstanceOf(StackOverflowError.class);
    }

    private static final class ADatagramChannel {}

    private static final class Unix extends SocketAddress {
        private static final long serialVersionUID = 1;
    }
}
