package dev.understudy.sidecar.source;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SourceRootsTest {
    private static final String CART = """
            package com.shop;

            /** Knows {@code total(int)}. */
            class Cart {
                Cart() {
                    this.total(0);
                }

                int total(int n) {
                    run(() -> total(n));
                    return total(n - 1);
                }

                static final class Item {
                    Item(int price) {}
                }
            }
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "com.shop.Cart#total, 8",
        "com.shop.Cart#total(int), 8",
        "com.shop.Cart#lambda$total$0, 8",
        "com.shop.Cart#<init>, 4",
        "com.shop.Cart, 4",
        "com.shop.Cart$Item#<init>, 14",
        "com.shop.Cart#gone, 0",
        "com.shop.Cart#Cart, 4"
    })
    void declaration_isTheFirstLineThatIsNoCall(String name, int line) throws IOException {
        write("com/shop/Cart.java", CART);
        SourceName wanted = SourceName.parse(name);

        assertThat(find(folder, name).declaration(wanted)).isEqualTo(line);
    }

    @Test
    void folders_areThoseAbovePackages_orOfProjects_andTheFirstThatHasItIsRead() throws IOException {
        write("first/src/main/java/com/shop/Cart.java", "first");
        write("second/com/shop/Cart.java", "second");
        write("second/src/main/kotlin/com/shop/Prices.kt", "fun price() = 1");
        SourceRoots roots = new SourceRoots(List.of(folder.resolve("first"), folder.resolve("second")));

        assertThat(requireNonNull(roots.find(SourceName.parse("com.shop.Cart"))).lines())
                .containsExactly("first");
        assertThat(requireNonNull(roots.find(SourceName.parse("com.shop.PricesKt#price")))
                        .path())
                .endsWith("/com/shop/Prices.kt");
        assertThat(roots.find(SourceName.parse("com.shop.Gone"))).isNull();
    }

    @Test
    void jars_areRead_alsoWithoutAFolder() throws IOException {
        Path jar = folder.resolve("shop-sources.jar");
        jar(jar, "com/shop/Cart.java", CART.getBytes(StandardCharsets.UTF_8));

        assertThat(find(jar, "com.shop.Cart$Item").path()).isEqualTo(jar + "!com/shop/Cart.java");
        assertThat(new SourceRoots(List.of(jar)).find(SourceName.parse("com.shop.Gone")))
                .isNull();
    }

    @Test
    void aRootThatIsGone_hidesNoOther() throws IOException {
        write("src/Cart.java", CART);
        Path gone = folder.resolve("gone.jar");
        SourceRoots roots = new SourceRoots(List.of(gone, folder.resolve("src")));

        assertThat(requireNonNull(roots.find(SourceName.parse("Cart"))).path()).endsWith("Cart.java");
        assertThatThrownBy(() -> roots.find(SourceName.parse("Gone"))).hasMessageContaining("gone.jar can't be read");
    }

    @Test
    void whatIsLinkedFromElsewhere_isNotRead(@TempDir Path elsewhere) throws IOException {
        Files.writeString(elsewhere.resolve("Out.java"), "secret");
        Files.createSymbolicLink(folder.resolve("Out.java"), elsewhere.resolve("Out.java"));
        Files.createSymbolicLink(folder.resolve("out"), elsewhere);
        SourceRoots roots = new SourceRoots(List.of(folder));

        assertThat(roots.find(SourceName.parse("Out"))).isNull();
        assertThat(roots.find(SourceName.parse("out.Out"))).isNull();
    }

    @Test
    void whatIsTooLarge_isRefused_whereverItLies() throws IOException {
        byte[] large = new byte[(1 << 20) + 1];
        Files.write(folder.resolve("Large.java"), large);
        Path jar = folder.resolve("large.jar");
        jar(jar, "Large.java", large);

        for (Path root : List.of(folder, jar)) {
            assertThatThrownBy(() -> find(root, "Large"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Large.java has more than 1048576 bytes");
        }
    }

    @Test
    void damagedJars_areAProblemOfTheirOwn() throws IOException {
        Path jar = folder.resolve("shop.jar");
        jar(jar, "com/shop/Cart.java", CART.getBytes(StandardCharsets.UTF_8));
        byte[] whole = Files.readAllBytes(jar);
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            for (int changes = 1 + random.nextInt(8); changes > 0; changes--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Files.write(jar, damaged);
            try {
                new SourceRoots(List.of(jar)).find(SourceName.parse("com.shop.Cart"));
            } catch (IOException said) {
                assertThat(said).hasMessageStartingWith(jar + " can't be read: ");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../../etc/passwd",
                "a/b",
                "a..b",
                "a#b#c",
                "a b",
                "1a",
                "a#b(",
                "a#",
                "\0",
                "a.",
                "a#../x"
            })
    void whatIsNoName_isRefused(String text) {
        assertThatThrownBy(() -> SourceName.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("method: (expected: ");
    }

    @Test
    void anyText_isANameOrRefused() {
        Random random = new Random(12);
        String signs = "aZ$_.#()<>/\\9 \u00e4\0";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder("a");
            for (int n = random.nextInt(600); n > 0; n--) {
                text.append(signs.charAt(random.nextInt(random.nextBoolean() ? 2 : signs.length())));
            }
            try {
                assertThat(SourceName.parse(text.toString()).file()).matches("[\\w$/]+");
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageStartingWith("method: ");
            }
        }
    }

    private static SourceFile find(Path root, String name) throws IOException {
        return requireNonNull(new SourceRoots(List.of(root)).find(SourceName.parse(name)));
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static void jar(Path jar, String entry, byte[] bytes) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(bytes);
        }
    }
}
