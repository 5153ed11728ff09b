package dev.understudy.session.clone.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.clone.CloneException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What of production's specification a copy gets, and what it must not get. */
final class ContainerSpecTest {
    private static final Path BOX = Path.of("/box");
    private static final Path NETWORK = Path.of("/run/netns/understudy-0a1b2c3d");
    private static final String SPEC = """
            {"ociVersion": "1.0.2", "hostname": "shop", "annotations": {"org.criu.config": "/prod.conf"},
             "root": {"path": "/var/lib/docker/overlay2/x/merged", "readonly": true},
             "hooks": {"prestart": [{"path": "/proc/1/exe", "args": ["libnetwork-setkey"]}]},
             "process": {"terminal": true, "cwd": "/app", "user": {"uid": 7}, "noNewPrivileges": true,
               "args": ["java", "-jar", "shop.jar"], "env": ["DB=db", "PASSWORD=x"],
               "capabilities": {"bounding": ["CAP_KILL"]}},
             "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"},
               {"destination": "/dev/shm", "type": "tmpfs", "source": "shm"}%s],
             "linux": {"cgroupsPath": "/docker/1", "seccomp": {"defaultAction": "SCMP_ACT_ERRNO"},
               "resources": {"memory": {"limit": %d}, "cpu": {"shares": 2048}}, "maskedPaths": ["/proc/kcore"],
               "namespaces": [{"type": "mount"}, {"type": "uts"}, {"type": "ipc", "path": "/proc/1/ns/ipc"},
                 {"type": "network", "path": "/proc/1/ns/net"}, {"type": "cgroup"}]}}
            """;

    @TempDir
    private Path folder;

    @Test
    void copy_hasRightsAndLimitsOfProduction_butNothingThatLeadsToIt() throws Exception {
        ContainerSpec spec = read(SPEC.formatted("", 123));

        JsonNode copy = copy(spec);

        assertThat(copy.path("root").toString()).isEqualTo("{\"path\":\"/box/root\",\"readonly\":true}");
        assertThat(copy.has("hooks")).isFalse();
        assertThat(copy.has("annotations")).isFalse();
        assertThat(copy.at("/process/terminal").asBoolean()).isFalse();
        assertThat(copy.at("/process/user/uid").asInt()).isEqualTo(7);
        assertThat(copy.at("/process/noNewPrivileges").asBoolean()).isTrue();
        assertThat(copy.at("/process/capabilities/bounding/0").asText()).isEqualTo("CAP_KILL");
        assertThat(copy.at("/process/args").toString()).isEqualTo("[\"java\"]");
        assertThat(copy.at("/process/env").toString()).isEqualTo("[\"A=b\"]");
        assertThat(copy.at("/linux/seccomp/defaultAction").asText()).isEqualTo("SCMP_ACT_ERRNO");
        assertThat(copy.at("/linux/cgroupsPath").asText()).isEqualTo("/understudy-1");
        assertThat(copy.at("/linux/resources/memory/limit").asLong()).isEqualTo(123);
        assertThat(copy.at("/linux/resources/cpu/shares").asLong()).isEqualTo(256);
        assertThat(copy.at("/linux/namespaces").toString())
                .isEqualTo("[{\"type\":\"mount\"},{\"type\":\"pid\"},{\"type\":\"ipc\"},{\"type\":\"uts\"},"
                        + "{\"type\":\"network\",\"path\":\"" + NETWORK + "\"},{\"type\":\"cgroup\"}]");
        assertThat(spec.sharedNamespaces()).containsExactly("pid", "ipc");
        assertThat(spec.hasTerminal()).isTrue();
    }

    @Test
    void memory_isLimited_whereProductionHasNoLimit() throws Exception {
        assertThat(copy(read(SPEC.formatted("", 0)))
                        .at("/linux/resources/memory/limit")
                        .asLong())
                .isEqualTo(1000);
    }

    @Test
    void volumes_areTheCopysOwn_andSocketsLeadNowhere() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Path hosts = Files.writeString(folder.resolve("hosts"), "1.2.3.4 db\n");
        Path socket = folder.resolve("docker.sock");
        try (ServerSocketChannel engine = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            engine.bind(UnixDomainSocketAddress.of(socket));
            ContainerSpec spec = read(SPEC.formatted(
                    bind("/data", data)
                            + bind("/etc/hosts", hosts)
                            + bind("/run/docker.sock", socket)
                            + bind("/host/sys", Path.of("/sys")),
                    0));

            assertThat(spec.mountLines())
                    .containsExactly(
                            "2\tOVERLAY\t/data\t" + data,
                            "3\tCOPY\t/etc/hosts\t" + hosts,
                            "4\tEMPTY\t/run/docker.sock\t" + socket);
            assertThat(spec.limits())
                    .containsExactly(
                            "/run/docker.sock is an empty file in the copy: it is a socket or a device",
                            "/host/sys is this machine's own in the copy, for reading");
            assertThat(spec.ownMounts()).containsExactly("/proc", "/dev/shm");
            JsonNode mounts = copy(spec).path("mounts");
            assertThat(mounts.at("/2/source").asText()).isEqualTo("/box/mount2");
            assertThat(mounts.at("/4/source").asText()).isEqualTo("/box/mount4");
            assertThat(mounts.at("/5/options").toString()).isEqualTo("[\"rbind\",\"ro\"]");
        }
    }

    @Test
    void whatWouldBeShared_orCantBeCovered_isRefused() throws Exception {
        Path odd = Files.createDirectory(folder.resolve("a:b"));

        assertThatThrownBy(() -> read(SPEC.formatted(bind("/data", odd), 0)))
                .hasMessage(odd + ": a volume with such a name can't be covered (expected: none of : , \\ \");"
                        + " rename it");
        assertThatThrownBy(() -> read(SPEC.formatted(bind("/da\\nta", folder), 0)))
                .hasMessage("/da?ta: an odd path of a volume");
        assertThatThrownBy(() -> read(
                        SPEC.formatted(",{\"destination\":\"/data\",\"type\":\"overlay\",\"source\":\"overlay\"}", 0)))
                .hasMessageStartingWith("/data: a mount of type overlay, which a copy would share with production");
    }

    @Test
    void damagedSpecification_isRefused_andNothingElseIsThrown() throws Exception {
        String whole = SPEC.formatted(bind("/data", folder), 0);
        Random random = new Random(29);
        for (int n = 0; n < 2000; n++) {
            char[] text = whole.toCharArray();
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                text[random.nextInt(text.length)] = "{}[],:\"\\01x\n".charAt(random.nextInt(12));
            }
            String damaged = new String(text).substring(0, random.nextInt(text.length) + 1);
            try {
                ContainerSpec spec = read(random.nextBoolean() ? damaged : new String(text));
                copy(spec);
                spec.limits();
                spec.sharedNamespaces();
            } catch (CloneException refused) {
                assertThat(refused).as("seed 29, round " + n).hasMessageNotContainingAny("Exception", "null");
            }
        }
        assertThatThrownBy(() -> ContainerSpec.read(folder.resolve("none")))
                .hasMessageEndingWith("can't be read; run this as root");
    }

    @Test
    void runtimesState_isRead_andDamagedOnesAreRefused() throws Exception {
        String state = "{\"id\": \"1\", \"pid\": 17, \"bundle\": \"/run/b\", \"rootfs\": \"/merged\"}";

        assertThat(RuntimeContainer.parse("runc", "level=warning\n" + state))
                .isEqualTo(new RuntimeContainer("runc", Path.of("/run/b"), Path.of("/merged"), 17));
        for (String damaged : List.of("", "{", "[]", state.replace("17", "-1"), state.replace("/run/b", "b"))) {
            assertThatThrownBy(() -> RuntimeContainer.parse("runc", damaged))
                    .isInstanceOf(CloneException.class)
                    .hasMessageStartingWith("runc state: ");
        }
    }

    private static String bind(String destination, Path source) {
        return ",{\"destination\":\"" + destination + "\",\"type\":\"bind\",\"source\":\"" + source
                + "\",\"options\":[\"rbind\"]}";
    }

    private ContainerSpec read(String text) throws Exception {
        Files.writeString(folder.resolve("config.json"), text);
        return ContainerSpec.read(folder);
    }

    private static JsonNode copy(ContainerSpec spec) throws Exception {
        return new ObjectMapper()
                .readTree(spec.copy(BOX, NETWORK, "/understudy-1", List.of("java"), List.of("A=b"), 1000));
    }
}
