package dev.understudy.agent.weave;

import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Methods that place-holders would make too large for the JIT, or for a class file. */
final class LargeMethodsTest {
    private final ProbeDirectory directory = new ProbeDirectory();

    /** Both ways of weaving: of version 50 is what is never woven directly. */
    @ParameterizedTest
    @CsvSource({
        "55, 400, 7000, false",
        "50, 400, 7000, false",
        "55, 1, 7000, true",
        "50, 1, 7000, true",
        "55, 1, 7960, true",
        "50, 1, 7960, true",
        "55, 1, 7995, false",
        "50, 1, 7995, false",
        "55, 400, 9000, true",
        "50, 400, 9000, true",
        "55, 1200, 59500, false",
        "50, 1200, 59500, false",
        "55, 1, 65500, false",
        "50, 1, 65500, false",
    })
    void aMethod_isWovenIfTheJvmTreatsItAsBefore_andTheOthersOfItsClassAre(
            int version, int returns, int bytes, boolean woven) throws Exception {
        String name = "v.Large" + version + "n" + returns + "n" + bytes;
        byte[] plain = large(name, version, returns, bytes);
        int before = CodeSizes.of(new ClassReader(plain)).bytes(0);
        assertThat(before).isBetween(bytes - 8, bytes + 8);

        byte[] now = Objects.requireNonNull(new Weaver(directory).weave(loader(), plain));

        CodeSizes sizes = CodeSizes.of(new ClassReader(now));
        assertThat(sizes.bytes(0) > before).isEqualTo(woven);
        assertThat(sizes.bytes(0) <= 8000 || before > 8000).isTrue();
        assertThat(sizes.bytes(1)).as("the small one").isGreaterThan(20);
        assertThat(directory.tooLarge()).isEqualTo(woven ? List.of() : List.of(name + "#large"));
        assertThat(run(name, now, returns - 1)).isEqualTo(returns - 1);
    }

    /** A jump over more than 32 KB is written in a longer form, of which nobody knows before how often it is needed. */
    @ParameterizedTest
    @CsvSource({"55", "50"})
    void aMethodThatLongJumpsMakeTooLarge_isLeftOutAlone(int version) throws Exception {
        String name = "v.Jumps" + version;
        byte[] plain = jumping(name, version, 1700);

        byte[] now = Objects.requireNonNull(new Weaver(directory).weave(loader(), plain));

        assertThat(CodeSizes.of(new ClassReader(now)).bytes(0))
                .isEqualTo(CodeSizes.of(new ClassReader(plain)).bytes(0));
        assertThat(CodeSizes.of(new ClassReader(now)).bytes(1)).isGreaterThan(20);
        assertThat(directory.tooLarge()).containsExactly(name + "#large");
        assertThat(run(name, now, 5)).isEqualTo(5);
    }

    /** What else is woven is counted, too: three bytes for each date that is made. */
    @Test
    void aMethodThatTheClocksCallsMakeTooLarge_asksTheClock_withoutAPlaceHolder() {
        Weaver weaver = new Weaver(directory, WovenCache.none(), true, new SecondLevel(new BranchDirectory()));
        byte[] plain = dates("v.Dates", 200, 7700);

        byte[] now = Objects.requireNonNull(weaver.weave(loader(), plain));

        assertThat(CodeSizes.of(new ClassReader(now)).bytes(0)).isBetween(8290, 8310);
        assertThat(directory.tooLarge()).containsExactly("v.Dates#large");
    }

    @Test
    void aClassOfWhichAMethodIsLeftOut_isNotKept_soThatEachRunSaysSo(@TempDir Path folder) throws Exception {
        WovenCache cache = WovenCache.of(folder, Files.createFile(folder.resolve("agent.jar")));
        byte[] large = large("v.Unkept", 55, 400, 7000);
        byte[] small = large("v.Kept", 55, 1, 500);
        Weaver weaver = new Weaver(directory, cache);

        weaver.weave(loader(), large);
        weaver.weave(loader(), small);

        assertThat(cache.find(large)).isNull();
        assertThat(cache.find(small)).isNotEmpty();
    }

    private static ClassLoader loader() {
        return LargeMethodsTest.class.getClassLoader();
    }

    private static Object run(String name, byte[] classFile, int argument) throws Exception {
        Class<?> defined = new ClassLoader(loader()) {
            Class<?> define() {
                return defineClass(name, classFile, 0, classFile.length);
            }
        }.define();
        return defined.getMethod("large", int.class).invoke(null, argument);
    }

    /** {@code static int large(int n)} of so many bytes, which returns n at one of its returns; and a small method. */
    private static byte[] large(String name, int version, int returns, int bytes) {
        ClassWriter writer = writer(name, version);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "large", "(I)I", null, null);
        code.visitCode();
        for (int n = 0; n < returns; n++) {
            Label next = new Label();
            code.visitVarInsn(Opcodes.ILOAD, 0);
            code.visitIntInsn(Opcodes.SIPUSH, n);
            code.visitJumpInsn(Opcodes.IF_ICMPNE, next);
            code.visitVarInsn(Opcodes.ILOAD, 0);
            code.visitInsn(Opcodes.IRETURN);
            code.visitLabel(next);
        }
        pad(code, bytes - 2 - 9 * returns);
        code.visitInsn(Opcodes.ICONST_M1);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        return small(writer);
    }

    /** A method of so many bytes that makes so many dates. */
    private static byte[] dates(String name, int dates, int bytes) {
        ClassWriter writer = writer(name, 55);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "large", "(I)I", null, null);
        code.visitCode();
        for (int n = 0; n < dates; n++) {
            code.visitTypeInsn(Opcodes.NEW, "java/util/Date");
            code.visitInsn(Opcodes.DUP);
            code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/util/Date", "<init>", "()V", false);
            code.visitInsn(Opcodes.POP);
        }
        pad(code, bytes - 2 - 8 * dates);
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        return small(writer);
    }

    /** The same with so many jumps, all just short enough, over a thousand returns. */
    private static byte[] jumping(String name, int version, int jumps) {
        ClassWriter writer = writer(name, version);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "large", "(I)I", null, null);
        code.visitCode();
        Label end = new Label();
        for (int n = 0; n < jumps; n++) {
            code.visitVarInsn(Opcodes.ILOAD, 0);
            code.visitJumpInsn(Opcodes.IFLT, end);
        }
        for (int n = 0; n < 1000; n++) {
            Label next = new Label();
            code.visitVarInsn(Opcodes.ILOAD, 0);
            code.visitJumpInsn(Opcodes.IFGE, next);
            code.visitVarInsn(Opcodes.ILOAD, 0);
            code.visitInsn(Opcodes.IRETURN);
            code.visitLabel(next);
        }
        pad(code, 32_766 - 4 * jumps - 6 * 1000);
        code.visitLabel(end);
        pad(code, 57_000 - 32_766);
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        return small(writer);
    }

    private static void pad(MethodVisitor code, int bytes) {
        for (int n = 0; n < bytes; n++) {
            code.visitInsn(Opcodes.NOP);
        }
    }

    private static ClassWriter writer(String name, int version) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        writer.visit(version, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", null);
        return writer;
    }

    private static byte[] small(ClassWriter writer) {
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "small", "(I)I", null, null);
        code.visitCode();
        for (int n = 0; n < 6; n++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
