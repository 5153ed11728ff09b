package dev.understudy.agent.patch;

import dev.understudy.agent.Fuzz;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PatchJarTest {
    @Test
    void classFiles_areFoundByTheirNames_andNothingElse() throws IOException {
        assertThat(PatchJar.read(jar("a/B.class", "a/", "a/text.txt", "C.class")))
                .containsOnlyKeys("a/B", "C");
        assertThatThrownBy(() -> PatchJar.read(jar("a/text.txt"))).hasMessage("no class file is in it");
    }

    @Test
    void moreThanIsTaken_isRefused_beforeItFillsMemory() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry("zeros.class"));
            for (int mebibytes = 0; mebibytes < 64; mebibytes++) {
                out.write(new byte[1 << 20]);
            }
        }
        assertThatThrownBy(() -> PatchJar.read(bytes.toByteArray()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than");
    }

    @Test
    void damagedJars_areReadOrRefused_neverWorse() throws IOException {
        byte[] good = jar("a/B.class", "a/C.class", "D.class");
        for (int seed = 0; seed < Fuzz.rounds(20_000); seed++) {
            Random random = new Random(seed);
            byte[] damaged = Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(good.length) : good.length);
            for (int edits = random.nextInt(5); edits > 0 && damaged.length > 0; edits--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                Map<String, byte[]> read = PatchJar.read(damaged);
                assertThat(read).as("seed " + seed).isNotEmpty();
            } catch (IOException refused) {
                assertThat(refused).as("seed " + seed).isNotNull();
            }
        }
    }

    private static byte[] jar(String... names) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (String name : names) {
                out.putNextEntry(new ZipEntry(name));
                if (!name.endsWith("/")) {
                    out.write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
                }
            }
        }
        return bytes.toByteArray();
    }
}
