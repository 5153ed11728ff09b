package dev.understudy.session.program;

import dev.understudy.sidecar.source.SourceFile;
import dev.understudy.sidecar.source.SourceName;
import dev.understudy.sidecar.source.SourceRoots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SourceArchiveTest {
    @TempDir
    private Path folder;

    @Test
    void project_isFoundBySidecars_alsoFromAJarOfIt() throws Exception {
        write("shop/src/main/java/com/shop/Cart.java", "package com.shop; class Cart {}");
        write("shop/src/main/resources/secret.properties", "password=x");

        Path archive = archive(folder.resolve("shop"));
        assertThat(find(archive, "com.shop.Cart")).isNotNull();
        assertThat(find(archive(archive), "com.shop.Cart")).isNotNull();
        assertThat(Files.size(archive)).isLessThan(250);
    }

    @Test
    void linksAndLargeFiles_areLeftOut() throws Exception {
        write("elsewhere/Secret.java", "class Secret {}");
        write("shop/Cart.java", "class Cart {}");
        write("shop/Large.java", "class Large {}" + " ".repeat(1 << 20));
        Files.createSymbolicLink(folder.resolve("shop/Secret.java"), folder.resolve("elsewhere/Secret.java"));
        Files.createSymbolicLink(folder.resolve("shop/linked"), folder.resolve("elsewhere"));

        Path archive = archive(folder.resolve("shop"));

        assertThat(find(archive, "Cart")).isNotNull();
        assertThat(find(archive, "Large")).isNull();
        assertThat(find(archive, "Secret")).isNull();
        assertThat(find(archive, "linked.Secret")).isNull();
    }

    @Test
    void whatHoldsNoSource_isRefused() throws Exception {
        Path nothing = Files.createDirectory(folder.resolve("nothing"));
        assertThatThrownBy(() -> SourceArchive.of(nothing))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(nothing + ": no source");
        Path noJar = write("Cart.java", "class Cart {}");
        assertThatThrownBy(() -> SourceArchive.of(noJar))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(noJar + " can't be read");
    }

    @Test
    void tooManyFiles_areRefused_andTooManyBytesOfAll() throws Exception {
        Path many = folder.resolve("many.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(many))) {
            for (int n = 0; n <= 50_000; n++) {
                out.putNextEntry(new ZipEntry("C" + n + ".java"));
            }
        }
        assertThatThrownBy(() -> SourceArchive.of(many)).hasMessageContaining(many + ": more than 50000 files");

        Path large = folder.resolve("large.jar");
        Random random = new Random(7);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(large))) {
            out.setLevel(Deflater.NO_COMPRESSION);
            for (int n = 0; n < 33; n++) {
                byte[] noise = new byte[1 << 20];
                random.nextBytes(noise);
                out.putNextEntry(new ZipEntry("C" + n + ".java"));
                out.write(noise);
            }
        }
        assertThat(SourceArchive.of(List.of(large))).hasSize(1);
        assertThatThrownBy(() -> SourceArchive.of(List.of(large, large)))
                .hasMessageContaining(large + ": with it more than 64 MiB");
    }

    private @Nullable SourceFile find(Path archive, String type) throws IOException {
        return new SourceRoots(List.of(archive)).find(SourceName.parse(type));
    }

    private Path archive(Path root) throws IOException {
        return Files.write(
                Files.createTempFile(folder, "sources", ".zip"),
                SourceArchive.of(root).bytes());
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
