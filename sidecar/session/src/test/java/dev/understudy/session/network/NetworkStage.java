package dev.understudy.session.network;

import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.ledger.Sessions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A session whose target is in a network of the test's own, which is as it was when the session is over. */
abstract class NetworkStage {
    @TempDir
    Path folder;

    TestMachine machine;
    Sessions sessions;
    FileLedger ledger;
    String before;

    @BeforeEach
    void make() throws Exception {
        machine = TestMachine.make();
        before = machine.state();
        sessions = new Sessions(folder.resolve("sessions"), Clock.systemUTC());
        ledger = sessions.create("test", Files.createDirectory(folder.resolve("images")));
    }

    @AfterEach
    void remove() throws Exception {
        if (ledger != null) {
            try {
                assertThat(ledger.finish().left()).isEmpty();
                assertThat(machine.state()).isEqualTo(before);
            } finally {
                machine.close();
            }
        }
    }

    static InetSocketAddress at(String address, int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByName(address), port);
    }
}
