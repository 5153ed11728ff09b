package dev.understudy.agent.fork;

import dev.understudy.agent.bootstrap.ClassStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipEntry;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is in the agent's jar, and where. */
final class JarIT {
    private static final String LOGGER = "dev/understudy/agent/export/QuietLogger";

    @Test
    void atTheRoot_standsOnlyWhatTheApplicationMaySee() throws IOException {
        try (JarFile jar = jar()) {
            List<String> visible = jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> !name.startsWith("inst/") && !name.endsWith("/"))
                    .collect(Collectors.toList());
            assertThat(visible)
                    .contains("dev/understudy/agent/Agent.class", "dev/understudy/agent/bootstrap/Probes.class")
                    .allMatch(name -> name.equals("META-INF/MANIFEST.MF")
                            || name.equals("dev/understudy/agent/Agent.class")
                            || name.startsWith("dev/understudy/agent/bootstrap/"));
        }
    }

    @Test
    void librariesHaveNamesOfOurOwn() throws IOException {
        try (JarFile jar = jar()) {
            assertThat(hidden(jar).keySet())
                    .contains("dev.understudy.agent.shaded.otel.sdk.trace.SdkTracerProvider")
                    .allMatch(name -> name.startsWith("dev.understudy.agent."));
        }
    }

    /** The JDK looks at each name of a jar before it reads anything of it. */
    @Test
    void whatTheApplicationMayNotSee_isOneEntry_whosePartsAreFoundWithoutReadingTheRest() throws IOException {
        try (JarFile jar = jar()) {
            assertThat(jar.getJarEntry(ClassStore.ENTRY).getMethod()).isEqualTo(ZipEntry.STORED);
            assertThat(jar.stream().filter(entry -> !entry.getName().startsWith("dev/understudy/agent/bootstrap/")))
                    .hasSizeLessThan(40);
        }
    }

    @Test
    void theManifest_letsTheJvmLoadAttachAndRetransform() throws IOException {
        try (JarFile jar = jar()) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Premain-Class")).isEqualTo("dev.understudy.agent.Agent");
            assertThat(manifest.getValue("Agent-Class")).isEqualTo("dev.understudy.agent.Agent");
            assertThat(manifest.getValue("Can-Retransform-Classes")).isEqualTo("true");
        }
    }

    @Test
    void everyClass_runsOnJava11() throws IOException {
        try (JarFile jar = jar()) {
            classes(jar)
                    .forEach((name, bytes) -> assertThat(new ClassReader(bytes).readUnsignedShort(6))
                            .as(name)
                            .isLessThanOrEqualTo(55));
        }
    }

    /** The libraries were compiled against java.util.logging; a method that ours lacks would fail when it is called. */
    @Test
    void whatLibrariesCallOnTheirLogger_ourLoggerHas() throws IOException {
        Set<String> called = new TreeSet<>();
        Set<String> had = new TreeSet<>();
        try (JarFile jar = jar()) {
            classes(jar)
                    .forEach((name, bytes) -> new ClassReader(bytes)
                            .accept(new LoggerCalls(name.replace('.', '/').contains(LOGGER), had, called), 0));
        }
        assertThat(called).isNotEmpty();
        assertThat(had).containsAll(called);
    }

    private static Map<String, byte[]> classes(JarFile jar) throws IOException {
        Map<String, byte[]> all = new TreeMap<>(hidden(jar));
        for (JarEntry entry : Collections.list(jar.entries())) {
            if (entry.getName().endsWith(".class")) {
                all.put(entry.getName(), jar.getInputStream(entry).readAllBytes());
            }
        }
        return all;
    }

    /** All that is in the {@link ClassStore}, as its documentation says. */
    private static Map<String, byte[]> hidden(JarFile jar) throws IOException {
        byte[] store = jar.getInputStream(jar.getJarEntry(ClassStore.ENTRY)).readAllBytes();
        ByteBuffer in = ByteBuffer.wrap(store);
        int slots = in.getInt();
        Map<String, byte[]> all = new TreeMap<>();
        for (int slot = 0; slot < slots; slot++) {
            int length = in.getInt(4 + 12 * slot + 8);
            if (length > 0) {
                int part = 4 + 12 * slots + in.getInt(4 + 12 * slot + 4);
                int named = in.getShort(part);
                int deflated = part + 2 + named + 4;
                InputStream bytes =
                        new InflaterInputStream(new ByteArrayInputStream(store, deflated, length - (deflated - part)));
                all.put(new String(store, part + 2, named, StandardCharsets.UTF_8), bytes.readAllBytes());
            }
        }
        return all;
    }

    private static JarFile jar() throws IOException {
        return new JarFile(ForkedJvm.agentJar());
    }

    private static final class LoggerCalls extends ClassVisitor {
        private final boolean logger;
        private final Set<String> had;
        private final Set<String> called;

        LoggerCalls(boolean logger, Set<String> had, Set<String> called) {
            super(Opcodes.ASM9);
            this.logger = logger;
            this.had = had;
            this.called = called;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            if (logger) {
                had.add(name + descriptor);
            }
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
                    if (owner.equals(LOGGER)) {
                        called.add(name + type);
                    }
                }
            };
        }
    }
}
