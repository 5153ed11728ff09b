package dev.understudy.testing.process;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

class SocketTableTest {
    @Test
    void address_isReadAsTheKernelWritesIt() throws Exception {
        assertThat(SocketTable.address("0100007F:1F90")).isEqualTo(new InetSocketAddress("127.0.0.1", 8080));
        assertThat(SocketTable.address("0000000000000000FFFF00000100007F:1F90"))
                .isEqualTo(new InetSocketAddress("127.0.0.1", 8080));
        assertThat(SocketTable.address("00000000000000000000000001000000:0001"))
                .isEqualTo(new InetSocketAddress(InetAddress.getByName("::1"), 1));
    }

    @Test
    void address_ofAnythingElse_isNone() {
        Random random = new Random(32);
        for (int n = 0; n < 10_000; n++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--) {
                text.append("0123456789ABCDEF:xG ".charAt(random.nextInt(20)));
            }
            SocketTable.address(text.toString());
        }
        assertThat(SocketTable.address("0100007G:1F90")).isNull();
        assertThat(SocketTable.address("0100007F:FFFFF")).isNull();
        assertThat(SocketTable.address("")).isNull();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void remotes_areThoseOfThatProcess_whileTheyAreConnected() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
            long own = ProcessHandle.current().pid();
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                assertThat(socket.isConnected()).isTrue();
                assertThat(SocketTable.remotes(own)).contains(address);
                assertThat(SocketTable.remotes(1)).doesNotContain(address);
            }
            assertThat(SocketTable.remotes(own)).doesNotContain(address);
        }
    }
}
