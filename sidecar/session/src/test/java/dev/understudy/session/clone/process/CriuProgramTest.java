package dev.understudy.session.clone.process;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneCheck.Outcome;
import dev.understudy.session.clone.CloneException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class CriuProgramTest {
    @TempDir
    Path folder;

    @Test
    void option_goesBeforeTheVariable() throws Exception {
        Path option = program("option", "");
        Path variable = program("variable", "");

        Map<String, String> environment = Map.of("UNDERSTUDY_CRIU", variable.toString(), "HOME", "/home/me");
        assertThat(CriuProgram.find(Optional.of(option), environment).file()).isEqualTo(option);
        CriuProgram found = CriuProgram.find(Optional.empty(), environment);
        assertThat(found.file()).isEqualTo(variable);
        assertThat(found.cache()).isEqualTo(Path.of("/home/me/.cache/understudy"));
    }

    @Test
    void missingProgram_isNamed_withTheWayOut() {
        Path none = folder.resolve("none");

        assertThatThrownBy(() -> CriuProgram.find(Optional.of(none), Map.of()))
                .isInstanceOf(CloneException.class)
                .hasMessageContaining(none + ": no program")
                .hasMessageContaining("install CRIU 4.2 or later");
    }

    @Test
    void oldVersion_isRefused_withItsNumber() throws Exception {
        for (String old : List.of("3.17.1", "4.1.1", "4.1")) {
            assertThat(check("echo Version: " + old))
                    .singleElement()
                    .satisfies(check -> assertThat(check.outcome()).isEqualTo(Outcome.REFUSE))
                    .satisfies(check -> assertThat(check.finding())
                            .contains("version " + old + " (expected: 4.2 or later)", "install CRIU"));
        }
    }

    @Test
    void programThatIsNotCriu_isRefused() throws Exception {
        assertThat(check("echo hello")).singleElement().satisfies(check -> {
            assertThat(check.outcome()).isEqualTo(Outcome.REFUSE);
            assertThat(check.finding()).contains("not CRIU");
        });
    }

    @Test
    void kernelThatLacksSomething_isRefused_withCriusWords() throws Exception {
        assertThat(check("[ $1 = check ] && echo 'Error: no luck' && exit 1; echo Version: 4.2"))
                .last()
                .satisfies(check -> {
                    assertThat(check.outcome()).isEqualTo(Outcome.REFUSE);
                    assertThat(check.finding()).contains("criu check: Error: no luck");
                });
    }

    @Test
    void programThatPassesItsCheck_butCopiesNothing_isRefusedByTheTrial_andNotRemembered() throws Exception {
        List<CloneCheck> checks =
                check("[ $1 = dump ] && echo \"Error: Can't get 1:16 opt\" && exit 1; echo Version: 4.2");

        assertThat(checks).last().satisfies(check -> {
            assertThat(check.name()).isEqualTo("trial");
            assertThat(check.outcome()).isEqualTo(Outcome.REFUSE);
            assertThat(check.finding()).contains("Can't get 1:16 opt", "install CRIU");
        });
        assertThat(folder.resolve("cache")).doesNotExist();
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("criu"));
        }
    }

    @Test
    void hugeVersion_isNoVersion() throws Exception {
        assertThat(check("echo Version: 99999999999999999999.1"))
                .singleElement()
                .satisfies(check -> assertThat(check.outcome()).isEqualTo(Outcome.REFUSE));
    }

    private List<CloneCheck> check(String script) throws Exception {
        return new CriuProgram(program("criu", script), folder.resolve("cache")).checks(folder);
    }

    private Path program(String name, String script) throws Exception {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file;
    }
}
