package dev.understudy.agent.branch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import net.bytebuddy.jar.asm.ClassReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Values in classes that Kotlin's own compiler made. */
@Tag("any-jdk")
final class KotlinValuesTest {
    @Test
    void whatTheCompilerKeepsForItself_isNotTold() throws Exception {
        List<String> names = new ArrayList<>();
        for (Class<?> member : List.of(kotlin.Unit.class, kotlinx.coroutines.BuildersKt.class)) {
            for (Look look : looks(member)) {
                names.add(look.name);
                names.add(look.other);
            }
        }
        assertThat(names)
                .hasSizeGreaterThan(10_000)
                .contains("count", "index")
                .as("markers of inlined functions, and fields of what is suspended")
                .noneMatch(name -> name.startsWith("$i$") || name.matches("[IJ]\\$[0-9]+"));
    }

    private static List<Look> looks(Class<?> member) throws Exception {
        List<Look> looks = new ArrayList<>();
        Path jar = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (JarFile file = new JarFile(jar.toFile())) {
            for (ZipEntry entry : file.stream().toList()) {
                if (entry.getName().endsWith(".class")) {
                    MethodValues.of(reader(file, entry)).forEach(method -> looks.addAll(method.all()));
                }
            }
        }
        return looks;
    }

    private static ClassReader reader(JarFile file, ZipEntry entry) throws IOException {
        try (InputStream in = file.getInputStream(entry)) {
            return new ClassReader(in);
        }
    }
}
