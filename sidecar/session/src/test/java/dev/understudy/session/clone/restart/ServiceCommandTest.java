package dev.understudy.session.clone.restart;

import dev.understudy.session.clone.CloneException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ServiceCommandTest {
    @TempDir
    private Path process;

    @BeforeEach
    void start() throws Exception {
        link("exe", "/opt/jdk/bin/java");
        link("cwd", "/srv/shop");
        file("cmdline", "java\0-jar\0shop.jar\0\0");
        file("environ", "A=1\0B=\u00ff\0");
        file("status", "Name:\tjava\nUmask:\t0027\nUid:\t1\t1000\t1\t1\nGid:\t2\t1001\t2\t2\nGroups:\t4 27 \n");
        file(
                "limits",
                "Limit                     Soft Limit   Hard Limit\nMax open files            4096       8192   files\n");
    }

    @Test
    void allThatTheKernelShows_isRead() throws Exception {
        ServiceCommand command = ServiceCommand.read(process);

        assertThat(command.program()).isEqualTo("/opt/jdk/bin/java");
        assertThat(command.words()).containsExactly("java", "-jar", "shop.jar", "");
        assertThat(command.environment()).containsExactly("A=1", "B=\u00ff");
        assertThat(command.directory()).isEqualTo("/srv/shop");
        assertThat(command.user() + ":" + command.group() + ":" + command.groups())
                .isEqualTo("1000:1001:[4, 27]");
        assertThat(command.umask() + " " + command.files()).isEqualTo("0027 4096");
    }

    @Test
    void ownProcess_isReadAsItIs() throws Exception {
        ServiceCommand command = ServiceCommand.read(Path.of("/proc/self"));

        assertThat(command.program()).endsWith("/java");
        assertThat(command.environment()).anyMatch(variable -> variable.startsWith("PATH="));
    }

    @Test
    void whatCantBeStartedAgain_isRefusedWithTheWayOut() throws Exception {
        Files.delete(process.resolve("environ"));
        refuses("environ can't be read", "run this as root");
        file("environ", "A=" + "x".repeat(ServiceCommand.LARGEST));
        refuses("command line and environment have 1024 KB", "@FILE");
        file("environ", "");
        file("cmdline", "");
        refuses("has no command line", "understudy debug -- COMMAND");
        file("cmdline", "java\0");
        file("status", "Name:\tjava\nUid:\t-1\tx\n");
        refuses("the service's user can't be read");
        link("cwd", "/srv/shop (deleted)");
        refuses("working directory is deleted", "restart the service");
        link("exe", "/opt/jdk/bin/java (deleted)");
        refuses("replaced or deleted since it began", "restart the service");
    }

    @Test
    void mainJar_isMissingOnlyIfItIsntThere() throws Exception {
        Path jar = Files.createFile(process.resolve("shop.jar"));
        link("cwd", process.toString());
        assertThat(ProgramFile.missing(ServiceCommand.read(process))).isEmpty();

        Files.delete(jar);
        assertThat(ProgramFile.missing(ServiceCommand.read(process))).isEqualTo("shop.jar");
        file("cmdline", "java\0shop.Main\0");
        assertThat(ProgramFile.missing(ServiceCommand.read(process))).isEmpty();
        assertThat(List.of("/srv/a.jar (deleted)", "/srv/a.jar", "/tmp/log (deleted)"))
                .filteredOn(ProgramFile::isDeleted)
                .containsExactly("/srv/a.jar (deleted)");
    }

    private void refuses(String... parts) {
        assertThatThrownBy(() -> ServiceCommand.read(process))
                .isInstanceOf(CloneException.class)
                .hasMessageContainingAll(parts);
    }

    private void file(String name, String text) throws Exception {
        Files.write(process.resolve(name), text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void link(String name, String target) throws Exception {
        Files.deleteIfExists(process.resolve(name));
        Files.createSymbolicLink(process.resolve(name), Path.of(target));
    }
}
