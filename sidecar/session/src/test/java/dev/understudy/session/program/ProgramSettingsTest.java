package dev.understudy.session.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.renewal.RenewalPlan;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.sidecar.command.Main;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class ProgramSettingsTest {
    private static final SessionTokens TOKENS = SessionTokens.fresh();

    @Test
    void sidecarsSettings_areTakenByTheSidecar(@TempDir Path folder) throws Exception {
        InetAddress ours = InetAddress.getByName("10.177.3.1");
        byte[] settings = SidecarProgram.settings(
                List.of(port("::", 8080, "http"), port("127.0.0.1", 6379, "redis"), port("::1", 5432, "postgres")),
                new CloneWorld("us-1", ours, InetAddress.getByName("10.177.3.2")),
                CopyState.LIVE,
                new InetSocketAddress("127.0.0.1", 9091),
                TOKENS,
                Duration.ofMinutes(30),
                new RenewalPlan(Duration.ofHours(6), "1%", true, Duration.ofMinutes(2))
                        .settings(URI.create("http://127.0.0.1:1/x")),
                Map.of("directory", folder.toString(), "max-size", "1048576"),
                List.of(folder.toString()));
        Path file = Files.write(folder.resolve("sidecar.yaml"), settings);
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);

        int code = Main.commandLine(Map.of(), new CountDownLatch(1))
                .setOut(out)
                .setErr(out)
                .execute("sidecar", "--check", "--config", file.toString());

        assertThat(printed.toString()).contains("all settings are right");
        assertThat(code).isZero();
        assertThat(new String(settings, StandardCharsets.UTF_8))
                .contains("\"tee\" : \"off\"")
                .contains("\"address\" : \"10.177.3.2:8080\"")
                .contains("\"copy\" : \"live\"")
                .contains("\"every\" : \"21600s\"", "\"pause\" : \"120s\"")
                .contains("\"production\" : \"127.0.0.1:6379\"")
                .contains("\"sources\" : [ \"" + folder + "\" ]");
    }

    @Test
    void aggregatorsSettings_letReadsThrough_onlyWhereThatIsWanted() throws Exception {
        CloneWorld world =
                new CloneWorld("us-1", InetAddress.getByName("10.177.3.1"), InetAddress.getByName("10.177.3.2"));
        JsonNode settings = new ObjectMapper()
                .readTree(AggregatorProgram.settings(
                        List.of(upstream(6379, false), upstream(6380, true)),
                        world,
                        List.of(port("0.0.0.0", 6379, "http")),
                        TOKENS,
                        Duration.ofMinutes(30)));
        JsonNode upstreams = settings.path("upstreams");

        assertThat(upstreams.path(0).has("miss")).isFalse();
        assertThat(upstreams.path(1).path("miss").asText()).isEqualTo("live");
        assertThat(upstreams.path(1).path("wait").asText()).isEqualTo("250ms");
        assertThat(upstreams.path(1).path("debug").path("dialled-port").asInt()).isEqualTo(6380);
        assertThat(upstreams.path(0).path("debug").has("dialled-port"))
                .as("the service listens there itself")
                .isFalse();
        assertThat(settings.path("control").path("listen").asText())
                .as("the copy's agent reaches it")
                .isEqualTo("10.177.3.1:0");
    }

    private static UpstreamAddress upstream(int port, boolean isLive) {
        return new UpstreamAddress(
                new InetSocketAddress("127.0.0.1", port), List.of(), "redis", "", TlsUse.NO, 0, isLive);
    }

    @Test
    void secrets_areNeitherInALogNorInOtherHands() {
        assertThat(TOKENS.toString()).doesNotContain(TOKENS.admin()).doesNotContain(TOKENS.agent());
        assertThat(TOKENS.admin())
                .hasSize(48)
                .isNotEqualTo(SessionTokens.fresh().admin());
    }

    @Test
    void users_areOfTheirOwnForEachSession() {
        assertThat(ProgramUser.of("a1").id())
                .isBetween(61184, 65519)
                .isNotEqualTo(ProgramUser.of("b2").id());
        assertThat(ProgramUser.of("a1").words())
                .contains("--reuid=" + ProgramUser.of("a1").id());
    }

    private static ListeningPort port(String address, int port, String protocol) throws Exception {
        return new ListeningPort(
                new InetSocketAddress(InetAddress.getByName(address), port), protocol, "", TlsUse.UNKNOWN, 0);
    }
}
