package dev.understudy.example.demo.stage;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FolderTest {
    @Test
    void folder_goesWithEverythingInIt() throws Exception {
        Folder folder = Folder.named();
        assertThat(folder.path()).doesNotExist();
        folder.create();
        Files.writeString(Files.createDirectories(folder.file("a/b")).resolve("c"), "d");
        folder.delete();
        assertThat(folder.path()).doesNotExist();
        folder.delete();
    }

    @Test
    void missingJar_saysWhatWasExpected(@TempDir Path root) throws Exception {
        Files.createDirectories(root.resolve("sidecar/target"));
        assertThatThrownBy(() -> new Installation(root).sidecar())
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("No jar of the sidecar")
                .hasMessageContaining("mvn package");
    }

    @Test
    void freePorts_areAllDifferent() throws Exception {
        Addresses at = Addresses.free();
        assertThat(new Integer[] {at.postgres(), at.redis(), at.pricing(), at.production(), at.debug(), at.sidecar()})
                .doesNotHaveDuplicates();
    }
}
