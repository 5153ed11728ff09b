package dev.understudy.agent.ahead;

import dev.understudy.agent.bootstrap.AgentClassLoader;
import dev.understudy.agent.bootstrap.ClassStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PackingTest {
    @TempDir
    private Path folder;

    @Test
    void classesThatWerePacked_areFoundByTheirNames_alsoWhereTheirHashesAreTheSame() throws Exception {
        assertThat(ClassStore.hash("p.Aa")).isEqualTo(ClassStore.hash("p.BB"));
        ClassLoader loader = loader(Packing.packed(
                Map.of("p.Aa", classFile("p/Aa"), "p.BB", classFile("p/BB"), "p.Öl", classFile("p/Öl"))));

        for (String name : new String[] {"p.BB", "p.Aa", "p.Öl"}) {
            assertThat(loader.loadClass(name).getName()).isEqualTo(name);
        }
        for (String absent : new String[] {"p.C#", "p.Cb", "q.Aa"}) {
            assertThatThrownBy(() -> loader.loadClass(absent)).isInstanceOf(ClassNotFoundException.class);
        }
    }

    @Test
    void withoutAnyClass_nothingIsFound() throws Exception {
        ClassLoader loader = loader(Packing.packed(Map.of()));

        assertThatThrownBy(() -> loader.loadClass("p.Aa")).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void whatIsDamaged_isntFound() throws Exception {
        byte[] packed = Packing.packed(Map.of("p.Aa", classFile("p/Aa")));
        byte[] garbled = packed.clone();
        Arrays.fill(garbled, garbled.length - 40, garbled.length, (byte) 7);

        for (byte[] bad : new byte[][] {Arrays.copyOf(packed, packed.length - 1), Arrays.copyOf(packed, 6), garbled}) {
            ClassLoader loader = loader(bad);
            assertThatThrownBy(() -> loader.loadClass("p.Aa")).isInstanceOf(ClassNotFoundException.class);
        }
    }

    @Test
    void ofAFolder_whatTheApplicationMaySeeIsLeftOut() throws Exception {
        for (String name : new String[] {"Agent", "AgentInstaller", "bootstrap/Gates"}) {
            Path file = folder.resolve("in/dev/understudy/agent/" + name + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, classFile("dev/understudy/agent/" + name));
        }
        Files.write(folder.resolve("in/dev/notes.txt"), new byte[3]);
        Packing.main(new String[] {
            folder.resolve("in").toString(), folder.resolve("packed").toString()
        });

        assertThat(Files.readAllBytes(folder.resolve("packed")))
                .isEqualTo(Packing.packed(Map.of(
                        "dev.understudy.agent.AgentInstaller", classFile("dev/understudy/agent/AgentInstaller"))));
    }

    private ClassLoader loader(byte[] packed) throws IOException {
        Path jar = Files.createTempFile(folder, "agent", ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream out = new ZipOutputStream(file)) {
            ZipEntry entry = new ZipEntry(ClassStore.ENTRY);
            CRC32 sum = new CRC32();
            sum.update(packed);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(packed.length);
            entry.setCrc(sum.getValue());
            out.putNextEntry(entry);
            out.write(packed);
        }
        return AgentClassLoader.over(jar.toFile());
    }

    private static byte[] classFile(String name) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        writer.visitEnd();
        return writer.toByteArray();
    }
}
