package dev.understudy.session.target.survey;

import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.target.JvmFacts;
import dev.understudy.session.target.ProcessNamespaces;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UpstreamAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Of this test's own process. */
final class UpstreamConnectionsTest {
    @Test
    void connectionsOfBefore_areCountedUntilTheyEnd_andNewOnesNever() throws Exception {
        try (ServerSocket upstream = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Socket elsewhere = new Socket(other.getInetAddress(), other.getLocalPort())) {
            Socket first = new Socket(upstream.getInetAddress(), upstream.getLocalPort());
            Socket second = new Socket(upstream.getInetAddress(), upstream.getLocalPort());
            UpstreamConnections connections = UpstreamConnections.of(survey(upstream));
            assertThat(connections.left()).isEqualTo(2);

            try (Socket renewed = new Socket(upstream.getInetAddress(), upstream.getLocalPort())) {
                assertThat(renewed.isConnected() && elsewhere.isConnected()).isTrue();
                first.close();
                assertThat(connections.left()).isOne();
                second.close();
                assertThat(connections.left()).isZero();
            }
        }
    }

    private static TargetSurvey survey(ServerSocket upstream) throws Exception {
        long pid = ProcessHandle.current().pid();
        InetSocketAddress address = new InetSocketAddress(upstream.getInetAddress(), upstream.getLocalPort());
        return new TargetSurvey(
                new TargetProcess(pid, ProcessStart.ticks(pid), 0, 0, List.of("java"), Path.of("/")),
                new ProcessNamespaces(1, 1, 1),
                new JvmFacts(Path.of("/"), "17", "", List.of(), "", true, List.of()),
                0,
                1,
                List.of(),
                List.of(new UpstreamAddress(address, List.of(), "tcp", "", TlsUse.NO, 2)),
                List.of(),
                List.of(),
                List.of());
    }
}
