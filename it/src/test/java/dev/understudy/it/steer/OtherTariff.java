package dev.understudy.it.steer;

import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake, as somebody makes it who edits {@link Tariff} and compiles it: the rebate is a fifth, no longer a tenth.
 */
final class OtherTariff {
    private OtherTariff() {}

    /** Compiles it; the folder with its class file, and no other. */
    static Path compile(Path folder) throws IOException {
        String source =
                Files.readString(Checkout.root().resolve("it/src/test/java/dev/understudy/it/steer/Tariff.java"));
        String other = source.replace("cents / 10", "cents / 5");
        assertThat(other).isNotEqualTo(source);
        Path file = Files.writeString(folder.resolve("Tariff.java"), other);
        Path classes = Files.createDirectories(folder.resolve("other-classes"));
        String own =
                Tariff.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-g", "-proc:none", "-cp", own, "-d", classes.toString(), file.toString());
        assertThat(code).isZero();
        return classes;
    }
}
