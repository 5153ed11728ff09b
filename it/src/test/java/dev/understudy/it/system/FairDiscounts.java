package dev.understudy.it.system;

import dev.understudy.it.stage.Checkout;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/** The example's {@code Discounts} without its defect: what is rounded is the price of all pieces, not of one. */
final class FairDiscounts {
    private static final Path ORDERS = Checkout.root().resolve("examples/orders");
    private static final String DEFECT = "discounted(unitCents, percent) * quantity";

    private FairDiscounts() {}

    /** Compiles it; the folder with its class file, and no other. */
    static Path compile(Path folder) throws IOException {
        String source =
                Files.readString(ORDERS.resolve("src/main/java/dev/understudy/example/orders/ordering/Discounts.java"));
        assertThat(source).contains(DEFECT);
        Path file = Files.writeString(
                folder.resolve("Discounts.java"), source.replace(DEFECT, "discounted(unitCents * quantity, percent)"));
        Path classes = Files.createDirectories(folder.resolve("fair"));
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-g",
                        "-parameters",
                        "-cp",
                        libraries(Files.createDirectories(folder.resolve("libraries"))),
                        "-d",
                        classes.toString(),
                        file.toString());
        assertThat(code).isZero();
        return classes;
    }

    private static String libraries(Path folder) throws IOException {
        StringJoiner path = new StringJoiner(File.pathSeparator);
        try (JarFile orders = new JarFile(ORDERS.resolve("target/orders.jar").toFile())) {
            for (ZipEntry entry : orders.stream()
                    .filter(one ->
                            one.getName().matches("BOOT-INF/lib/(spring-(core|context|jdbc)|jspecify)-[\\d.]+jar"))
                    .toList()) {
                Path library = folder.resolve(Path.of(entry.getName()).getFileName());
                try (InputStream in = orders.getInputStream(entry)) {
                    Files.copy(in, library);
                }
                path.add(library.toString());
            }
        }
        return path.toString();
    }
}
