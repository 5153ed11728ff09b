package dev.understudy.example.demo.report;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

class SocketsTest {
    @Test
    void dialled_listsWhomAProcessConnectedToAndNotWhoConnectedToIt() throws Exception {
        assumeThat(Sockets.canBeSeen()).isTrue();
        long self = ProcessHandle.current().pid();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = server.getLocalPort();
            try (Socket dialled = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket accepted = server.accept()) {
                assertThat(Sockets.dialled(self, port)).contains(port).doesNotContain(dialled.getLocalPort());
                assertThat(accepted.getPort()).isEqualTo(dialled.getLocalPort());
            }
            assertThat(Sockets.dialled(self, port)).doesNotContain(port);
        }
    }
}
