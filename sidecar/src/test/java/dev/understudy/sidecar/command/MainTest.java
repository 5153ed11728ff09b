package dev.understudy.sidecar.command;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

final class MainTest {
    @TempDir
    Path folder;

    @Test
    void wrongSettings_endWith2_andAllProblems() throws Exception {
        Path file = write("listeners: [{name: a, listen: nowhere, production: 127.0.0.1:8081}]\nwindo: {}\n");

        Ran ran = run("--config", file.toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("sidecar.yaml:1:31: listeners[0].listen: nowhere", "windo: unknown key");
    }

    @Test
    void missingFile_endsWith2() {
        Ran ran = run("--config", folder.resolve("absent.yaml").toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("absent.yaml: no such file");
    }

    @Test
    void unknownFlag_endsWith2() {
        assertThat(run("--confg", "x").code()).isEqualTo(2);
    }

    @Test
    void transport_isSetByItsFlag() throws Exception {
        Path file = write("listeners: [{name: a, listen: '127.0.0.1:0', production: 127.0.0.1:8081}]\n");

        Ran ran = run("--config", file.toString(), "--transport", "iouring", "--check");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("transport: iouring (expected: epoll or io_uring)");
        assertThat(run("--config", file.toString(), "--transport", "io_uring", "--check")
                        .code())
                .isZero();
    }

    @Test
    void takenPort_endsWith2_andNamesIt() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Path file = write("listeners: [{name: a, listen: '" + address + "', production: 127.0.0.1:8081}]\n"
                    + "control: {listen: 127.0.0.1:0, anonymous: admin}\n");

            Ran ran = run("--config", file.toString());

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("listener a").contains(String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void takenControlPort_endsWith2_andNamesIt() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = write("listeners: [{name: a, listen: '127.0.0.1:0', production: 127.0.0.1:8081}]\n"
                    + "control: {listen: '127.0.0.1:" + taken.getLocalPort() + "', anonymous: admin}\n");

            Ran ran = run("--config", file.toString());

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("control port").contains(String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void launcher_knowsEachCommand() throws Exception {
        String script = Files.readString(Path.of("distribution/src/main/archive/bin/understudy"));
        String cases = script.lines()
                .filter(line -> line.matches("[a-z| ]+\\)"))
                .map(line -> " " + line.replace(')', ' '))
                .collect(Collectors.joining());
        Set<String> commands = new TreeSet<>();
        Main.commandLine(Map.of(), new CountDownLatch(1)).getSubcommands().forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                commands.add(name);
            }
        });
        assertThat(commands).hasSizeGreaterThan(10).allSatisfy(command -> {
            assertThat(script).contains("\n  " + command + " ");
            assertThat(cases).contains(" " + command + " ");
        });
    }

    @Test
    void commands_areFoundByTheNamesThatTheyHave() {
        Main.commands(Map.of(), new CountDownLatch(1))
                .forEach((name, command) -> assertThat(new CommandLine(command.get()).getCommandName())
                        .isEqualTo(name));
    }

    @Test
    void help_listsTheCommands() {
        Ran ran = run("--help");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("COMMAND", "sidecar", "status", "top");
    }

    @Test
    void unknownCommand_endsWith2_andNamesNearOnes() {
        Ran ran = run("statsu");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("statsu", "status");
    }

    @Test
    void sidecar_isTheCommandOfMereOptions() {
        assertThat(run("sidecar", "--check", "--config", "sidecar.example.yaml").out())
                .isEqualTo(run("--check", "--config", "sidecar.example.yaml").out());
    }

    @Test
    void check_startsNothing() throws Exception {
        Ran ran = run("--check", "--config", "sidecar.example.yaml");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("all settings are right");
    }

    @Test
    void stop_saysReadyFirst_andHowFaithfulItWasLast() throws Exception {
        Path file = write("""
                listeners: [{name: a, listen: '127.0.0.1:0', production: 127.0.0.1:1, debug: 127.0.0.1:2}]
                control: {listen: 127.0.0.1:0, anonymous: admin}
                tap: {lane-nice: 0}
                drain: 100ms
                """);
        stopped.countDown();

        Ran ran = run("--config", file.toString());

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines())
                .satisfiesExactly(
                        ready -> assertThat(ready)
                                .matches("understudy sidecar ready: a=127.0.0.1:\\d+ control=127.0.0.1:\\d+"),
                        last -> assertThat(last).isEqualTo("a: faithful: 0 of 0 exchanges"));
    }

    @Test
    void fileThatCannotBeHad_isNamedWithTheReason() throws Exception {
        Path none = folder.resolve("none.understudy");

        Ran ran = run("inspect", none.toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err().strip()).isEqualTo("understudy inspect: " + none + " doesn't exist");
    }

    private final CountDownLatch stopped = new CountDownLatch(1);

    private Ran run(String... args) {
        return Ran.run(stopped, args);
    }

    private Path write(String yaml) throws Exception {
        return Files.writeString(folder.resolve("sidecar.yaml"), yaml);
    }
}
