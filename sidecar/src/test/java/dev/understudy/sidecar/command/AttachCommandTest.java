package dev.understudy.sidecar.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("process")
final class AttachCommandTest {
    @TempDir
    private Path folder;

    private Path agent;

    @BeforeEach
    void pack() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", StandIn.class.getName());
        agent = folder.resolve("agent.jar");
        String name = StandIn.class.getName().replace('.', '/') + ".class";
        try (OutputStream file = Files.newOutputStream(agent);
                JarOutputStream jar = new JarOutputStream(file, manifest);
                InputStream in = Objects.requireNonNull(StandIn.class.getResourceAsStream("/" + name))) {
            jar.putNextEntry(new JarEntry(name));
            in.transferTo(jar);
        }
    }

    @Test
    void aRunningJvm_getsTheAgentWithItsSettings_once() throws Exception {
        Process jvm = started("on");
        try {
            assertThat(attach(jvm, "on"))
                    .startsWith("0 process " + jvm.pid() + ", JDK " + System.getProperty("java.version"))
                    .contains(": the agent is on");
            assertThat(attach(jvm, "on")).contains("1 process " + jvm.pid() + " has an agent already: on");
        } finally {
            jvm.destroyForcibly().onExit().join();
        }
    }

    @Test
    void anAgentThatStaysInert_isTold_andSoIsOneThatAsks() throws Exception {
        Process first = started("inert");
        Process second = started("asking");
        try {
            assertThat(attach(first, "inert"))
                    .startsWith("1 ")
                    .contains("the agent is inert; its standard error says why");
            assertThat(attach(first, "on"))
                    .as("with other settings")
                    .startsWith("0 ")
                    .contains("the agent is on");
            assertThat(attach(second, "asking")).startsWith("0 ").contains("asking the sidecar");
        } finally {
            first.destroyForcibly().onExit().join();
            second.destroyForcibly().onExit().join();
        }
    }

    @Test
    void whatCannotBeAttachedTo_isSaid() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.onExit().join();

        assertThat(attach(gone, "debug=true"))
                .startsWith("2 understudy attach: process " + gone.pid() + " can't be attached to: ")
                .contains("(expected: a JVM of this machine and this user)");
        agent = folder.resolve("none.jar");
        assertThat(attach(gone, "debug=true"))
                .startsWith("2 understudy attach: " + agent + ": no such file (expected: the agent's jar, by --agent)");
    }

    private String attach(Process jvm, String settings) {
        StringWriter said = new StringWriter();
        CommandLine all = Main.commandLine(Map.of(), new CountDownLatch(1));
        all.setOut(new PrintWriter(said)).setErr(new PrintWriter(said));
        int code = all.execute("attach", Long.toString(jvm.pid()), settings, "--agent", agent.toString());
        return code + " " + said;
    }

    /** Its first line says that it is there. */
    private static Process started(String name) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-cp",
                StandIn.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath(),
                StandIn.class.getName(),
                name));
        Process jvm = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(jvm.inputReader().readLine()).isEqualTo("here");
        return jvm;
    }

    /** An agent that does what it is told, and the application that it comes to. */
    public static final class StandIn {
        private StandIn() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("here");
            Thread.currentThread().join();
        }

        public static void agentmain(String settings) {
            System.setProperty("dev.understudy.agent.present", settings);
        }
    }
}
