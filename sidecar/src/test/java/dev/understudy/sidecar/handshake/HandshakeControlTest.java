package dev.understudy.sidecar.handshake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class HandshakeControlTest {
    private static final AgentKey KEY = key(" a key that is long enough\n");

    private ServerSocket debug;
    private ServerSocket production;

    @BeforeEach
    void listen() throws IOException {
        debug = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        production = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        debug.close();
        production.close();
    }

    @Test
    void whoHasTheKey_learnsFromWhereTheDebugJvmWasConnectedTo_signedForItsQuestion() throws Exception {
        JsonNode answer = connected(control(KEY, Set.of(address(debug))));

        List<String> connections = new ArrayList<>();
        answer.path("connections").forEach(one -> connections.add(one.asText()));
        assertThat(answer.path("signature").asText())
                .isEqualTo(KEY.sign("understudy debug\n00ff\norders-1\n" + String.join(",", connections)));
        List<String> came = new ArrayList<>();
        while (!came.contains(connections.get(0))) {
            try (Socket accepted = debug.accept()) {
                came.add(HexFormat.of().formatHex(accepted.getInetAddress().getAddress()) + ":" + accepted.getPort());
                assertThat(accepted.getInputStream().read())
                        .as("it says nothing, and ends")
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void whatIsProductionsToo_isNeverConnectedTo() throws Exception {
        HandshakeControl control = control(KEY, Set.of(address(debug), address(production)));

        assertThat(connected(control).path("connections")).hasSize(1);
        production.setSoTimeout(1);
        assertThatThrownBy(production::accept).isInstanceOf(IOException.class);
    }

    @Test
    void asLongAsProductionsAddressIsUnknown_nobodyIsConnectedTo() {
        DebugDials calls = new DebugDials(
                Set.of(address(debug)), Set.of(InetSocketAddress.createUnresolved("[no address]", 8080)));
        calls.look();

        assertThat(calls.connect()).isEmpty();
    }

    /** Each time has a thread of its own. */
    @Test
    void namesAreLookedUp_notTwiceAtATime() {
        DebugDials calls = new DebugDials(Set.of(address(debug)), Set.of());
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getTotalStartedThreadCount();

        for (int time = 0; time < 1000; time++) {
            calls.lookUp();
        }

        assertThat(threads.getTotalStartedThreadCount() - before).isBetween(1L, 500L);
    }

    @Test
    void noMoreConnectionsThanSixtyFourAreHeld() {
        DebugDials calls = new DebugDials(Set.of(address(debug)), Set.of(), Duration.ofHours(1));
        calls.look();

        for (int call = 0; call < 64; call++) {
            assertThat(calls.connect()).hasSize(1);
        }
        assertThat(calls.connect()).isEmpty();
    }

    @Test
    void aConnectionThatIsOver_makesRoomForAnother() {
        DebugDials calls = new DebugDials(Set.of(address(debug)), Set.of(), Duration.ofMillis(1));
        calls.look();

        for (int made = 0; made < 130; ) {
            made += calls.connect().size();
        }
    }

    @Test
    void whoHasNotTheKey_learnsNothing() {
        HandshakeControl control = control(KEY, Set.of(address(debug)));
        AgentKey other = key("another key, long enough too");

        assertThat(ask(control, other.sign("understudy agent\n00ff\norders-1")).status())
                .isEqualTo(403);
        assertThat(ask(control, KEY.sign("understudy agent\n00fe\norders-1")).status())
                .isEqualTo(403);
        assertThat(ask(control, KEY.sign("understudy debug\n00ff\norders-1\n")).status())
                .isEqualTo(403);
        String signed = KEY.sign("understudy agent\n00ff\norders-1");
        assertThat(control.post(asked("00fe", "orders-1", signed)).status()).isEqualTo(403);
        assertThat(control.post(asked("00ff", "orders-2", signed)).status()).isEqualTo(403);
        assertThat(ask(control(AgentKey.NONE, Set.of(address(debug))), "x").status())
                .isEqualTo(409);
        assertThatThrownBy(() -> ask(control, "")).isInstanceOf(IllegalArgumentException.class);
        String longest = "0".repeat(500);
        assertThat(control.post(asked(longest, "x", KEY.sign("understudy agent\n" + longest + "\nx")))
                        .status())
                .isEqualTo(200);
        assertThatThrownBy(() -> control.post(asked(longest + "0", "x", signed)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nonce: 501 characters (expected: 1 to 500)");
        assertThatThrownBy(() -> control.post(call("[]"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKeyIsNeverShown() {
        assertThat(KEY.toString()).isEqualTo("set");
        assertThat(AgentKey.NONE.toString()).isEqualTo("none");
        assertThatThrownBy(() -> key("secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a key of 6 bytes (expected: 16 to 4096)");
    }

    @Test
    void aKey_isWithoutTheWhiteSpaceAroundIt_andNotTooLong() {
        assertThat(key("a key that is long enough").sign("text")).isEqualTo(KEY.sign("text"));
        assertThat(key("k".repeat(4096)).isSet()).isTrue();
        assertThatThrownBy(() -> key("k".repeat(4097))).hasMessageContaining("a key of 4097 bytes");
    }

    /** The first answers may come before names were looked up. */
    private static JsonNode connected(HandshakeControl control) throws Exception {
        JsonNode answer = new ObjectMapper().createObjectNode();
        while (answer.path("connections").isEmpty()) {
            Reply reply = ask(control, KEY.sign("understudy agent\n00ff\norders-1"));
            assertThat(reply.status()).isEqualTo(200);
            answer = new ObjectMapper().readTree(reply.body());
            Thread.onSpinWait();
        }
        return answer;
    }

    private static AgentKey key(String text) {
        return AgentKey.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private HandshakeControl control(AgentKey key, Set<InetSocketAddress> targets) {
        return new HandshakeControl(key, new DebugDials(targets, Set.of(address(production))));
    }

    private static InetSocketAddress address(ServerSocket server) {
        return InetSocketAddress.createUnresolved("127.0.0.1", server.getLocalPort());
    }

    private static Reply ask(HandshakeControl control, String signature) {
        return control.post(asked("00ff", "orders-1", signature));
    }

    private static Call asked(String nonce, String agent, String signature) {
        return call("{\"nonce\":\"" + nonce + "\",\"agent\":\"" + agent + "\",\"signature\":\"" + signature + "\"}");
    }

    private static Call call(String json) {
        return new Call("/v1/handshake", Map.of(), "application/json", json.getBytes(StandardCharsets.UTF_8));
    }
}
