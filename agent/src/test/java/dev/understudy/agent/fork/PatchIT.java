package dev.understudy.agent.fork;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Other code for a running application, and back. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class PatchIT {
    private static final String SERVER = SmallServer.class.getName();
    private static final String LATE = SmallServer.Late.class.getName();
    static final String OLD = "price 188";
    static final String NEW = "price 222";

    @TempDir
    private Path folder;

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aPatch_changesWhatMethodsDo_whereverItIsWanted_andIsTakenBack(Path java) throws Exception {
        String kept = "debug=true,cache=" + folder.resolve("cache");
        try (FakeSidecar sidecar = new FakeSidecar()) {
            String id;
            try (ForkedJvm jvm = start(java, sidecar, kept)) {
                assertThat(jvm.get("/40", "")).isEqualTo(OLD);
                id = sidecar.patch(jar(dearer(), later()));
                assertThat(sidecar.reportOfFollower())
                        .contains(
                                "\"patch\":\"" + id + "\"",
                                id + ": 1 classes changed, 1 not loaded yet",
                                "\"problems\":[]");
                assertThat(jvm.get("/40", "")).isEqualTo(NEW);
                assertThat(jvm.get("/late", "")).as("loaded with the patch").isEqualTo("late, patched");
                sidecar.reportWith("#discount\",\"hits\":80,");

                sidecar.order("{}");
                assertThat(sidecar.reportOfFollower()).contains("\"patch\":\"\"", "\"problems\":[]");
                assertThat(jvm.get("/40", "")).isEqualTo(OLD);
                assertThat(jvm.get("/late", "")).isEqualTo("late");
                sidecar.patch(jar(dearer(), later()));
                sidecar.reportOfFollower();
            }
            try (ForkedJvm again = start(java, sidecar, kept)) {
                Patience.until(NEW::equals, () -> again.get("/40", "")); // in a JVM that begins anew
            }
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aPatchThatTheJvmRefuses_changesNothing(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, "debug=true")) {
            assertThat(jvm.get("/40", "")).isEqualTo(OLD);
            sidecar.patch(jar(longer(), later()));
            assertThat(sidecar.reportOfFollower())
                    .contains(
                            "patch: " + SERVER
                                    + " adds method int added(), which can't be changed in a running JVM; nothing was",
                            "\"patch\":\"\"");
            assertThat(jvm.get("/40", "")).isEqualTo(OLD);
            assertThat(jvm.get("/late", "")).isEqualTo("late");

            String fine = sidecar.patch(jar(dearer(), later()));
            assertThat(sidecar.reportOfFollower()).contains("2 classes changed, 0 not loaded yet");
            sidecar.patch(jar(longer()));
            assertThat(sidecar.reportOfFollower()).contains("adds method int added()", "\"patch\":\"" + fine + "\"");
            assertThat(jvm.get("/40", "")).as("as it was before").isEqualTo(NEW);
            assertThat(jvm.get("/late", "")).isEqualTo("late, patched");
        }
    }

    @Test
    void classesThatTheApplicationDoesNotHave_andNoClassesAtAll_areRefused() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "debug=true")) {
            sidecar.patch(jar(dearer(), new Entry("dev/understudy/agent/fork/Nowhere", dearer().bytes)));
            assertThat(sidecar.reportOfFollower()).contains("fork.Nowhere is new, and no class loader would find it");
            byte[] future = dearer().bytes.clone();
            future[7] = 120;
            sidecar.patch(jar(new Entry(SERVER.replace('.', '/'), future)));
            assertThat(sidecar.reportOfFollower())
                    .contains("SmallServer is compiled for Java 76 (expected: --release ");
            sidecar.patch(jar(new Entry("java/lang/String", dearer().bytes)));
            assertThat(sidecar.reportOfFollower()).contains("java.lang.String can't be patched");
            sidecar.patch(new byte[] {1, 2, 3});
            assertThat(sidecar.reportOfFollower()).contains("no class file is in it");
            assertThat(jvm.get("/40", "")).isEqualTo(OLD);
        }
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, String arguments) throws IOException {
        return ForkedJvm.start(java, "=" + arguments + ",sidecar=" + sidecar.url(), List.of(), List.of(SERVER));
    }

    /** The server whose discounts are smaller: six where there were five. */
    private static Entry dearer() throws IOException {
        return dearer(PatchIT.class.getClassLoader());
    }

    /** The same of the one that {@code classes} have. */
    static Entry dearer(ClassLoader classes) throws IOException {
        return changed(classes, SERVER, false);
    }

    /** The same with a method more. */
    private static Entry longer() throws IOException {
        return changed(PatchIT.class.getClassLoader(), SERVER, true);
    }

    private static Entry later() throws IOException {
        return changed(PatchIT.class.getClassLoader(), LATE, false);
    }

    private static Entry changed(ClassLoader classes, String name, boolean longer) throws IOException {
        String file = name.replace('.', '/');
        try (InputStream in = Objects.requireNonNull(classes.getResourceAsStream(file + ".class"))) {
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(in.readAllBytes()).accept(new Changing(writer, longer), 0);
            return new Entry(file, writer.toByteArray());
        }
    }

    static byte[] jar(Entry... entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Entry entry : entries) {
                out.putNextEntry(new ZipEntry(entry.name + ".class"));
                out.write(entry.bytes);
            }
        }
        return bytes.toByteArray();
    }

    record Entry(String name, byte[] bytes) {}

    private static final class Changing extends ClassVisitor {
        private final boolean longer;

        Changing(ClassVisitor next, boolean longer) {
            super(Opcodes.ASM9, next);
            this.longer = longer;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.ICONST_5 && name.equals("discount")) {
                        super.visitIntInsn(Opcodes.BIPUSH, 6);
                    } else {
                        super.visitInsn(opcode);
                    }
                }

                @Override
                public void visitLdcInsn(Object value) {
                    super.visitLdcInsn(value.equals("late") ? "late, patched" : value);
                }
            };
        }

        @Override
        public void visitEnd() {
            if (longer) {
                MethodVisitor added = super.visitMethod(Opcodes.ACC_STATIC, "added", "()I", null, null);
                added.visitCode();
                added.visitInsn(Opcodes.ICONST_1);
                added.visitInsn(Opcodes.IRETURN);
                added.visitMaxs(1, 0);
                added.visitEnd();
            }
            super.visitEnd();
        }
    }
}
