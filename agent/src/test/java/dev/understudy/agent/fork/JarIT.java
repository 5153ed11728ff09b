package dev.understudy.agent.fork;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
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
            assertThat(jar.stream().map(JarEntry::getName).filter(name -> name.endsWith(".classdata")))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("inst/dev/understudy/agent/"));
            assertThat(jar.getJarEntry("inst/dev/understudy/agent/shaded/otel/sdk/trace/SdkTracerProvider.classdata"))
                    .isNotNull();
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
            for (JarEntry entry : classes(jar)) {
                byte[] bytes = jar.getInputStream(entry).readAllBytes();
                assertThat(new ClassReader(bytes).readUnsignedShort(6))
                        .as(entry.getName())
                        .isLessThanOrEqualTo(55);
            }
        }
    }

    /** The libraries were compiled against java.util.logging; a method that ours lacks would fail when it is called. */
    @Test
    void whatLibrariesCallOnTheirLogger_ourLoggerHas() throws IOException {
        Set<String> called = new TreeSet<>();
        Set<String> had = new TreeSet<>();
        try (JarFile jar = jar()) {
            for (JarEntry entry : classes(jar)) {
                new ClassReader(jar.getInputStream(entry).readAllBytes())
                        .accept(new LoggerCalls(entry.getName().contains(LOGGER), had, called), 0);
            }
        }
        assertThat(called).isNotEmpty();
        assertThat(had).containsAll(called);
    }

    private static List<JarEntry> classes(JarFile jar) {
        return jar.stream()
                .filter(entry ->
                        entry.getName().endsWith(".class") || entry.getName().endsWith(".classdata"))
                .collect(Collectors.toList());
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
