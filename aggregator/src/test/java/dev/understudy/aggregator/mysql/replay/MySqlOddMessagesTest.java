package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.mysql.replay.MySqlConversation.Debug;
import dev.understudy.aggregator.mysql.replay.MySqlConversation.Production;
import dev.understudy.aggregator.record.Unrecorded;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.aggregator.mysql.replay.MySqlConversation.QUERY;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.command;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.ok;
import static org.assertj.core.api.Assertions.assertThat;

/** One odd message costs its own exchange, and no other one of its connection. */
class MySqlOddMessagesTest {
    private final MySqlConversation server = new MySqlConversation(Duration.ZERO);

    @ParameterizedTest
    @ValueSource(ints = {0x05, 0x06, 0x07, 0x0c, 0x0f, 0x1d})
    void commandThatIsntReplayed_losesItself(int code) {
        Production production = server.production("d");
        production.asks(command(code, "x"), ok());
        production.asks("DELETE FROM t", ok());
        assertThat(server.journal.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL))
                .isEqualTo(1);
        assertThat(server.journal.recorded.exchanges()).isEqualTo(1);
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused(command(code, "x")).state()).isEqualTo("UD001");
        assertThat(debug.asks("DELETE FROM t").get(0)[0]).isZero();
    }

    @Test
    void answerThatCantBeRead_losesItself() {
        Production production = server.production("d");
        production.client(0, command(QUERY, "SELECT odd FROM t"));
        production.server(1, new byte[] {(byte) 0xfc, 1});
        production.server(2, "what nobody knows".getBytes(StandardCharsets.US_ASCII));
        production.client(0, command(QUERY, "DELETE FROM t"));
        production.server(3, "and more".getBytes(StandardCharsets.US_ASCII));
        production.server(1, ok());
        production.asks("DELETE FROM u", ok());
        assertThat(server.journal.recorded.exchanges()).isEqualTo(2);
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.asks("DELETE FROM t").get(0)[0]).isZero();
        assertThat(debug.asks("DELETE FROM u").get(0)[0]).isZero();
        assertThat(debug.refused("SELECT odd FROM t").state()).isEqualTo("UD001");
    }

    @Test
    void answerWhoseEndIsntKnown_endsTheRecording() {
        Production production = server.production("d");
        production.client(0, command(QUERY, "SELECT odd FROM t"));
        production.client(0, command(QUERY, "DELETE FROM t"));
        production.server(1, new byte[] {(byte) 0xfc, 1});
        production.server(256, new byte[] {7});
        production.server(1, ok());
        assertThat(server.journal.recorded.exchanges()).isZero();
    }

    @Test
    void malformedCommand_isRefusedAndCountedAndTheConnectionGoesOn() {
        server.production("d").asks("DELETE FROM t", ok());
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused(new byte[] {0x17, 1}).code()).isEqualTo(1835);
        assertThat(debug.refused(new byte[] {0x1b}).code()).isEqualTo(1835);
        assertThat(server.journal.replayed.missed()).isEqualTo(2);
        assertThat(debug.asks("DELETE FROM t").get(0)[0]).isZero();
        assertThat(debug.channel.isOpen()).isTrue();
    }
}
